import type { ESTree } from 'vite';
import { isTest, readSources, visit } from './sources.ts';

export interface RegularExpression {
  /** The first place that has it. */
  where: string;
  pattern: string;
  flags: string;
}

interface Found {
  literals: RegularExpression[];
  /** Where one is put together from a text, by path: a check that reads sources can't see what it becomes. */
  computed: string[];
}

const isRegExp = ({ callee }: ESTree.NewExpression | ESTree.CallExpression): boolean =>
  callee.type === 'Identifier' && callee.name === 'RegExp';

/** Every regular expression of these folders' programs, once each. */
export const findRegularExpressions = (root: string, folders: string[]): Found => {
  const literals = new Map<string, RegularExpression>();
  const computed = new Set<string>();
  for (const source of readSources(root, folders)) {
    if (isTest(source.path) || source.path.includes('/testing/')) continue;
    const note = (node: ESTree.NewExpression | ESTree.CallExpression) =>
      isRegExp(node) && computed.add(source.path);
    visit(source, {
      Literal: (node) => {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        const where = `${source.path}:${source.lineOf(node.start)}`;
        if (!literals.has(`${flags} ${pattern}`))
          literals.set(`${flags} ${pattern}`, { where, pattern, flags });
      },
      NewExpression: note,
      CallExpression: note,
    });
  }
  return { literals: [...literals.values()], computed: [...computed] };
};

/** Without an unbounded repetition each position takes a bounded number of steps, whatever the text. */
export const isUnbounded = ({ pattern }: RegularExpression): boolean =>
  /[*+]|\{\d+,\}/.test(pattern.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, ''));
