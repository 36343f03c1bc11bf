import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { ESTree } from 'vite';
import { readSources, type Source, stringOf, visit } from '../sources.ts';

export interface Import {
  from: string;
  line: number;
  /** A path from the root, a package's name, or a module of Node itself. */
  to: string;
  kind: 'file' | 'package' | 'builtin' | 'computed';
  typeOnly: boolean;
  /** Loaded when it runs, by `import()`. */
  dynamic: boolean;
}

const withExtension = (root: string, path: string): string =>
  [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`].find(
    (candidate) => posix.extname(candidate) !== '' && existsSync(posix.join(root, candidate)),
  ) ?? path;

const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const target = (root: string, from: string, specifier: string): Pick<Import, 'to' | 'kind'> => {
  if (specifier.startsWith('.'))
    return { kind: 'file', to: withExtension(root, posix.join(posix.dirname(from), specifier)) };
  if (specifier.startsWith('/')) return { kind: 'file', to: withExtension(root, specifier.slice(1)) };
  if (isBuiltin(specifier)) return { kind: 'builtin', to: specifier };
  return { kind: 'package', to: packageName(specifier) };
};

/** A part of a package or a scope, chosen at run time: it can't be a file of ours. */
const isPartOfPackage = (node: ESTree.Node): boolean =>
  node.type === 'TemplateLiteral' && /^@?[\w-]+\//.test(node.quasis[0]?.value.cooked ?? '');

const importsOf = (root: string, source: Source): Import[] => {
  const imports: Import[] = [];
  const add = (node: ESTree.Node | null, typeOnly: boolean, dynamic = false) => {
    if (!node) return;
    const line = source.lineOf(node.start);
    const specifier = stringOf(node);
    if (isPartOfPackage(node)) return;
    if (specifier === undefined)
      imports.push({ from: source.path, line, to: '', kind: 'computed', typeOnly, dynamic });
    else
      imports.push({ from: source.path, line, typeOnly, dynamic, ...target(root, source.path, specifier) });
  };
  visit(source, {
    ImportDeclaration: (node) =>
      add(
        node.source,
        node.importKind === 'type' ||
          (node.specifiers.length > 0 &&
            node.specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type')),
      ),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false, true),
    TSImportType: (node) => add(node.source, true),
    // Vite's import.meta.glob is an import of everything that matches.
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'MetaProperty') return;
      for (const node of first?.type === 'ArrayExpression' ? first.elements : [first])
        if (stringOf(node)) add(node as ESTree.Node, false);
    },
  });
  return imports;
};

export const readImports = (root: string, folders: string[]): Import[] =>
  readSources(root, folders).flatMap((source) => importsOf(root, source));
