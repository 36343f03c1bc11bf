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

/** The parsed TypeScript files of these folders. */
export const readSources = (root: string, folders: string[]): Source[] =>
  globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  )
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const { program, errors } = parseSync(path, text);
      if (errors[0]) throw new Error(`${path} can't be parsed: ${errors[0].message}`);
      return { path, program, lineOf: (offset) => text.slice(0, offset).split('\n').length };
    });

export const visit = ({ program }: Source, visitor: VisitorObject): void =>
  new Visitor(visitor).visit(program);

export const stringOf = (node: ESTree.Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
