import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ESTree } from 'vite';
import { composedLabels } from './composed-labels.ts';
import type { Check } from './outcome.ts';
import { isTest, readSources, type Source, stringOf, visit } from './sources.ts';

const FOLDER = 'server/ground/translations/texts';
/** The part that the browser gets; the other parts are the server's own. */
const PAGES = 'pages';
const LANGUAGES = ['en_US', 'zh_HK'];

type Texts = Record<string, Record<string, string>>;

/** Every text in a source that may be a label; in a composed one, * stands for what is only known at run time. */
const mentionedIn = (source: Source): string[] => {
  const mentioned: string[] = [];
  const composed = (node: ESTree.TemplateLiteral) =>
    node.quasis.map(({ value }) => value.cooked ?? '').join('*');
  visit(source, {
    Literal: (node) => {
      const label = stringOf(node);
      if (label !== undefined) mentioned.push(label);
    },
    TemplateLiteral: (node) => {
      if (/^[a-z][\w-]*\./i.test(node.quasis[0]?.value.cooked ?? '')) mentioned.push(composed(node));
    },
  });
  return mentioned;
};

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

/** Whether a side of the program mentions a label: itself, by the values of a constant, or by the form of a composed one. */
const usedBy = (root: string, side: 'web' | 'server', listed: Map<string, string[]>) => {
  const mentioned = new Set(
    readSources(root, [side])
      .filter(({ path }) => !isTest(path))
      .flatMap(mentionedIn)
      .flatMap((label) => listed.get(label) ?? [label]),
  );
  const forms = [...mentioned]
    .filter((label) => label.includes('*'))
    .map((label) => new RegExp(`^${label.split('*').map(RegExp.escape).join('.+')}$`));
  return (label: string) => mentioned.has(label) || forms.some((form) => form.test(label));
};

/** Every text is in use, and there in both languages. That a label in use has a text is a question of types. */
export const checkLabels: Check = async (root) => {
  const parts = globSync(`${FOLDER}/*.json`, { cwd: root }).map((path) => ({
    path,
    side: basename(path, '.json') === PAGES ? ('web' as const) : ('server' as const),
    texts: Object.entries(JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts),
  }));
  const all = parts.flatMap(({ texts }) => texts.map(([label]) => label));
  const listed = await composedLabels(root);
  const used = { web: usedBy(root, 'web', listed), server: usedBy(root, 'server', listed) };
  return {
    note: `${all.length} labels`,
    faults: [
      ...parts.flatMap(({ texts }) => texts.flatMap(([label, byLanguage]) => textFaults(label, byLanguage))),
      ...all
        .filter((label, at) => all.indexOf(label) !== at)
        .map((label) => `${label}: label-once: it is in two files`),
      ...parts.flatMap(({ path, side, texts }) =>
        texts
          .filter(([label]) => !used[side](label))
          .map(([label]) => `${path}: ${label}: label-in-use: nothing uses it`),
      ),
    ],
  };
};
