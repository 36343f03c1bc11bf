import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ESTree } from 'vite';
import { composedLabels } from './composed-labels.ts';
import type { Check } from './outcome.ts';
import { isTest, readSources, type Source, stringOf, visit } from './sources.ts';

const FOLDER = 'server/ground/translations/texts';
/** The part that the browser gets; the other parts are the server's own. */
const PAGES = 'pages';
const LANGUAGES = ['en_US', 'zh_HK'];
/** The functions that take a label, and which of their arguments it is. */
const TAKERS: Record<'web' | 'server', { name: string; argument: number }> = {
  web: { name: 't', argument: 0 },
  server: { name: 'text', argument: 1 },
};

type Texts = Record<string, Record<string, string>>;

interface Use {
  where: string;
  /** A label; in a composed one, * stands for the part that is only known at run time. */
  label: string;
}

const composed = (node: ESTree.TemplateLiteral): string =>
  node.quasis.map(({ value }) => value.cooked ?? '').join('*');

const labelsIn = (node: ESTree.Node | undefined): string[] => {
  const literal = stringOf(node);
  if (literal !== undefined) return [literal];
  if (node?.type === 'ConditionalExpression')
    return [...labelsIn(node.consequent), ...labelsIn(node.alternate)];
  if (node?.type === 'LogicalExpression') return [...labelsIn(node.left), ...labelsIn(node.right)];
  if (node?.type === 'TemplateLiteral') return [composed(node)];
  return [];
};

const usesOf = (source: Source, side: 'web' | 'server', namespaces: Set<string>) => {
  const { name, argument } = TAKERS[side];
  const asked: Use[] = [];
  const mentioned: Use[] = [];
  /** On the server only letters of mails are written by tables of labels. */
  const isNamespace = (word = '') => (side === 'web' ? namespaces.has(word) : word === 'mail');
  const at = (node: ESTree.Node) => `${source.path}:${source.lineOf(node.start)}`;
  visit(source, {
    CallExpression: (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== name) return;
      for (const label of labelsIn(node.arguments[argument])) asked.push({ where: at(node), label });
    },
    // A phrase, which is said later.
    Property: (node) => {
      if (side === 'web' || node.key.type !== 'Identifier' || node.key.name !== 'label') return;
      for (const label of labelsIn(node.value)) asked.push({ where: at(node), label });
    },
    Literal: (node) => {
      const label = stringOf(node);
      if (label === undefined) return;
      mentioned.push({ where: at(node), label });
      // A label may also reach its function through a table; then its first word shows that it is one.
      const [first, ...rest] = label.split('.');
      if (rest.length > 0 && isNamespace(first) && /^[\w.-]+$/.test(label))
        asked.push({ where: at(node), label });
    },
    TemplateLiteral: (node) => {
      const [, first] = /^([a-z][\w-]*)\./i.exec(node.quasis[0]?.value.cooked ?? '') ?? [];
      if (first === undefined || node.expressions.length === 0) return;
      mentioned.push({ where: at(node), label: composed(node) });
      if (isNamespace(first)) asked.push({ where: at(node), label: composed(node) });
    },
  });
  return { asked, mentioned };
};

/** Replaces each composed label by those that it may become. One that is not listed stays, and has no text. */
const spellOut = (uses: Use[], listed: Map<string, string[]>): Use[] =>
  uses.flatMap(({ where, label }) => (listed.get(label) ?? [label]).map((one) => ({ where, label: one })));

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

const textFaults = (label: string, texts: Record<string, string>): string[] => {
  const missing = LANGUAGES.filter((language) => !texts[language]);
  if (missing.length > 0)
    return missing.map((language) => `${label}: label-has-text: no text in ${language}`);
  const [first, ...others] = LANGUAGES.map((language) => placeholders(texts[language] ?? '').join());
  return others.some((names) => names !== first)
    ? [`${label}: same-placeholders: the languages have different placeholders`]
    : [];
};

const errorLabels = async (root: string): Promise<Use[]> => {
  const path = join(root, 'contract/ground/errors.ts');
  if (!existsSync(path)) return [];
  const { ERROR_CODES } = (await import(pathToFileURL(path).href)) as { ERROR_CODES: readonly string[] };
  return ERROR_CODES.map((code) => ({ where: 'contract/ground/errors.ts', label: `error.${code}` }));
};

/** Every label in use has a text in both languages, and every text is in use. */
export const checkLabels: Check = async (root) => {
  const parts = Object.fromEntries(
    globSync(`${FOLDER}/*.json`, { cwd: root }).map((path) => [
      basename(path, '.json'),
      JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts,
    ]),
  );
  const pages = Object.keys(parts[PAGES] ?? {});
  const all = Object.values(parts).flatMap((texts) => Object.keys(texts));
  const namespaces = new Set(
    pages.filter((label) => label.includes('.')).map((label) => label.split('.')[0] ?? ''),
  );
  const listed = await composedLabels(root);
  const usesIn = (side: 'web' | 'server') => {
    const found = readSources(root, [side])
      .filter(({ path }) => !isTest(path))
      .map((source) => usesOf(source, side, namespaces));
    return {
      asked: spellOut(
        found.flatMap((one) => one.asked),
        listed,
      ),
      mentioned: spellOut(
        found.flatMap((one) => one.mentioned),
        listed,
      ),
    };
  };
  const [web, server, errors] = [usesIn('web'), usesIn('server'), await errorLabels(root)];
  const untold = (uses: Use[], known: string[]) =>
    uses
      .filter(({ label }) => !known.includes(label))
      .map(({ where, label }) =>
        label.includes('*')
          ? `${where} uses ${label}: label-listed: write it out, or list its values in checks/composed-labels.ts`
          : `${where} uses ${label}: label-has-text: it has no text`,
      );
  const unused = Object.entries(parts).flatMap(([part, texts]) => {
    const uses = part === PAGES ? web.mentioned : [...server.mentioned, ...errors];
    const used = new Set(uses.map(({ label }) => label));
    return Object.keys(texts)
      .filter((label) => !used.has(label))
      .map((label) => `${FOLDER}/${part}.json: ${label}: label-in-use: nothing uses it`);
  });
  const twice = all.filter((label, at) => all.indexOf(label) !== at);
  return {
    note: `${all.length} labels`,
    faults: [
      ...new Set([
        ...untold(web.asked, pages),
        ...untold([...server.asked, ...errors], all),
        ...Object.values(parts).flatMap((texts) =>
          Object.entries(texts).flatMap(([label, byLanguage]) => textFaults(label, byLanguage)),
        ),
        ...twice.map((label) => `${label}: label-once: it is in two files`),
        ...unused,
      ]),
    ],
  };
};
