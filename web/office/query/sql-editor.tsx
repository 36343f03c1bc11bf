import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MySQL, PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { QueryEngineName, QueryTable } from '../../../contract/office/query.ts';
import { styleNonce } from '../../ground/ui/style-nonce.ts';
import { useStable } from '../../ground/ui/use-stable.ts';
import classes from './sql-editor.module.css';

interface SqlEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  engine: QueryEngineName;
  /** Completed while writing. */
  tables: QueryTable[];
  /** Where the database found a fault, in UTF-16 units from 0. */
  faultAt: number | undefined;
}

const markFault = StateEffect.define<number | undefined>();

/** The word at a place; at the end, the last character. */
const wordAt = (state: EditorState, place: number) => {
  const at = Math.max(0, Math.min(place, state.doc.length));
  const word = state.wordAt(at);
  if (word) return word;
  return at < state.doc.length ? { from: at, to: at + 1 } : { from: Math.max(0, at - 1), to: at };
};

const faultMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged, state }) => {
    for (const effect of effects) {
      if (!effect.is(markFault)) continue;
      if (effect.value === undefined) return Decoration.none;
      const { from, to } = wordAt(state, effect.value);
      return from < to
        ? Decoration.set(Decoration.mark({ class: classes.fault ?? '' }).range(from, to))
        : Decoration.none;
    }
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Typing over a selection: the browser would keep the look of what was there by an inline style, which the content
 * security policy refuses.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== 'insertText' || !event.data || view.composing) return false;
    if (view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch({
      ...view.state.replaceSelection(event.data),
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

const languageOf = (engine: QueryEngineName, tables: QueryTable[]) =>
  sql({
    dialect: engine === 'mysql' ? MySQL : PostgreSQL,
    schema: Object.fromEntries(
      tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
    ),
  });

/** The statement, with colours and completion. Escape and then Tab leaves it; Tab alone does too. */
export const SqlEditor = ({ value, onChange, label, engine, tables, faultAt }: SqlEditorProps) => {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const language = useRef(new Compartment());
  const changed = useStable(onChange);
  const first = useRef({ value, engine, tables, label });

  useEffect(() => {
    const { value: doc, engine: dialect, tables: known, label: name } = first.current;
    const editor = new EditorView({
      parent: holder.current as HTMLDivElement,
      state: EditorState.create({
        doc,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          // Its icons are signs that few fonts have.
          autocompletion({ icons: false }),
          syntaxHighlighting(classHighlighter),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': name }),
          language.current.of(languageOf(dialect, known)),
          faultMark,
          replaceSelected,
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [changed]);

  useEffect(() => {
    const state = view.current?.state;
    if (state && state.doc.toString() !== value)
      view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(engine, tables)) });
  }, [engine, tables]);

  useEffect(() => {
    view.current?.dispatch({ effects: markFault.of(faultAt) });
  }, [faultAt]);

  return <div ref={holder} className={classes.editor} />;
};
