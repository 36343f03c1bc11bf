import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type ESTree, parseSync, Visitor, type VisitorObject } from 'vite';

export interface Source {
  /** From the root, with forward slashes. */
  path: string;
  program: ESTree.Program;
  lineOf: (offset: number) => number;
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

const parse = (root: string, path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} can't be parsed: ${errors[0].message}`);
  return { path, program, lineOf: (offset) => text.slice(0, offset).split('\n').length };
};

/** Several checks read the same files in one run, and parsing takes most of their time. */
const parsed = new Map<string, Source>();

/** The parsed TypeScript files of these folders. */
export const readSources = (root: string, folders: string[]): Source[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  )
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((path) => {
      const key = join(root, path);
      const source = parsed.get(key) ?? parse(root, path);
      parsed.set(key, source);
      return source;
    });

export const visit = ({ program }: Source, visitor: VisitorObject): void =>
  new Visitor(visitor).visit(program);

export const stringOf = (node: ESTree.Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
