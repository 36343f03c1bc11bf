import type { ESTree } from 'vite';
import { type Source, stringOf, visit } from '../sources.ts';
import { HOLE, type TableUse, tableUses } from './sql-text.ts';

export interface Statement {
  line: number;
  /** SQL, or a part of it; empty if a query is built by calls alone. */
  text: string;
  uses: TableUse[];
}

export type IsTable = (name: string) => boolean;

/** Kysely's calls that take a table. */
const BUILDERS: Record<string, TableUse['kind']> = {
  selectFrom: 'reads',
  innerJoin: 'reads',
  leftJoin: 'reads',
  rightJoin: 'reads',
  fullJoin: 'reads',
  crossJoin: 'reads',
  using: 'reads',
  insertInto: 'writes',
  updateTable: 'writes',
  deleteFrom: 'writes',
  mergeInto: 'writes',
  replaceInto: 'writes',
};
/** Those that begin a query; `using` and the joins are names that others have too. */
const BEGINNINGS = /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)$/;

/** Prose may begin with such a word too, but does not go on like this. */
const LOOKS_LIKE_SQL =
  /^\s*(with\s+\w+\s+as\s|select\s[\s\S]*\sfrom\s|insert\s+into\s+\w+\s|update\s+\w+\s+set\s|delete\s+from\s+\w+|truncate\s+\w+|copy\s+\w+\s*(\(|from|to)|merge\s+into\s|(alter|drop|create)\s+(table|index|function)\s)/;

const textOf = (node: ESTree.Node | null | undefined): string | undefined =>
  node?.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? '').join(HOLE)
    : stringOf(node);

const nameOf = (node: ESTree.Node): string | undefined =>
  node.type === 'Identifier' ? node.name : undefined;

/** `messages`, or `messages_2026_01`, which is a part of it. */
const tableOf = (text: string, isTable: IsTable): string | undefined => {
  const name = text.split(' ')[0]?.split('.').at(-1) ?? '';
  for (let part = name; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('_'))))
    if (isTable(part)) return part;
  return undefined;
};

/** What `sql.raw`, `sql.table` and `sql.ref` are given: undefined if it is computed. */
const usesOfSqlCall = (kind: string, text: string, isTable: IsTable): TableUse[] => {
  if (kind === 'raw') return tableUses(text, isTable);
  if (kind === 'ref' && !text.includes('.')) return [];
  const table = tableOf(kind === 'ref' ? (text.split('.')[0] ?? '') : text, isTable);
  // What is done with a table that is named apart from its statement can't be seen, so only its owner does it.
  return table === undefined ? [] : [{ table, kind: kind === 'table' ? 'writes' : 'reads' }];
};

/** The SQL of a file: tagged templates, Kysely's calls and texts that are handed to a client of the database. */
export const statementsOf = (source: Source, isTable: IsTable): Statement[] => {
  const found: Statement[] = [];
  const strings: { line: number; text: string }[] = [];
  let namesComputed = false;
  const add = (node: ESTree.Node, text: string, uses = tableUses(text, isTable)) =>
    found.push({ line: source.lineOf(node.start), text, uses });
  const addTables = (node: ESTree.Node, texts: string[], kind: TableUse['kind']) =>
    add(
      node,
      '',
      texts.flatMap((text) => {
        const table = tableOf(text, isTable);
        return table === undefined ? [] : [{ table, kind }];
      }),
    );
  const seen = new Set<ESTree.Node>();
  visit(source, {
    TaggedTemplateExpression: (node) => {
      if (nameOf(node.tag) !== 'sql') return;
      seen.add(node.quasi);
      add(node, textOf(node.quasi) ?? '');
    },
    CallExpression: (node) => {
      const { callee } = node;
      const [first] = node.arguments;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const method = callee.property.name;
      const text = textOf(first);
      if (nameOf(callee.object) === 'sql' && ['raw', 'table', 'ref', 'id'].includes(method)) {
        if (first) seen.add(first);
        if (method === 'table' && (text === undefined || text.startsWith(HOLE))) namesComputed = true;
        add(node, method === 'raw' ? (text ?? '') : '', usesOfSqlCall(method, text ?? '', isTable));
        return;
      }
      const kind = BUILDERS[method];
      const given = first?.type === 'ArrayExpression' ? first.elements : [first];
      const texts = given.map(textOf).filter((one) => one !== undefined);
      if (kind && (BEGINNINGS.test(method) || texts.some((one) => tableOf(one, isTable))))
        addTables(node, texts, kind);
      if (method === 'query' && first && text !== undefined) {
        seen.add(first);
        add(node, text);
      }
    },
    Literal: (node) => {
      const text = stringOf(node);
      if (text === undefined || seen.has(node)) return;
      strings.push({ line: source.lineOf(node.start), text });
      if (LOOKS_LIKE_SQL.test(text)) add(node, text);
    },
    TemplateLiteral: (node) => {
      const text = textOf(node) ?? '';
      if (!seen.has(node) && LOOKS_LIKE_SQL.test(text)) add(node, text);
    },
  });
  // Where a table's name is computed, every text that is the name of one may be it.
  if (namesComputed)
    for (const { line, text } of strings)
      if (isTable(text)) found.push({ line, text: '', uses: [{ table: text, kind: 'writes' }] });
  return found;
};
