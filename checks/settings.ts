import type { ESTree } from 'vite';
import type { Check } from './outcome.ts';
import { readSources, type Source, stringOf, visit } from './sources.ts';

const READER = 'server/config.ts';
const PROCESS = /^(node:)?process$/;

const named = (node: ESTree.Node, name: string): boolean =>
  (node.type === 'Identifier' && node.name === name) || stringOf(node) === name;

const isProcess = (node: ESTree.Node | null): boolean =>
  node !== null &&
  (named(node, 'process') || (node.type === 'MemberExpression' && named(node.property, 'process')));

const takesEnv = (pattern: ESTree.Node): boolean =>
  pattern.type === 'ObjectPattern' &&
  pattern.properties.some((one) => one.type === 'RestElement' || named(one.key, 'env'));

const readsOf = (source: Source): number[] => {
  const found: number[] = [];
  visit(source, {
    MemberExpression: (node) => {
      if (named(node.property, 'env') && isProcess(node.object)) found.push(node.start);
    },
    VariableDeclarator: (node) => {
      if (isProcess(node.init) && takesEnv(node.id)) found.push(node.start);
    },
    ImportDeclaration: (node) => {
      if (!PROCESS.test(node.source.value)) return;
      if (node.specifiers.some((one) => one.type === 'ImportSpecifier' && named(one.imported, 'env')))
        found.push(node.start);
    },
    ExportNamedDeclaration: (node) => {
      if (!PROCESS.test(node.source?.value ?? '')) return;
      if (node.specifiers.some((one) => named(one.local, 'env'))) found.push(node.start);
    },
  });
  return found;
};

/** Settings are read, checked and explained in one place. */
export const checkSettings: Check = async (root) => ({
  faults: readSources(root, ['contract', 'server', 'agent', 'web'])
    .filter(({ path }) => path !== READER)
    .flatMap((source) =>
      readsOf(source).map(
        (offset) =>
          `${source.path}:${source.lineOf(offset)} reads process.env: settings-in-config: ${READER} is its only reader`,
      ),
    ),
});
