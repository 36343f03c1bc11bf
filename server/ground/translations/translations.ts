import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../../contract/ground/constants.ts';
import type { Label } from './label.ts';

type Texts = Record<string, Record<Language, string>>;

const FOLDER = new URL('./texts/', import.meta.url);
const read = (file: string): Texts => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

const pages = read('pages.json');
const all: Texts = Object.assign({}, ...readdirSync(FOLDER).map(read));

/** What the browser gets: the texts of the pages, by language and label. */
export const pageTranslations = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(Object.entries(pages).map(([label, texts]) => [label, texts[language]])),
  ]),
) as Record<Language, Record<string, string>>;

export const translationVersion = createHash('sha256')
  .update(JSON.stringify(pageTranslations))
  .digest('hex')
  .slice(0, 16);

/** What is to be said, before it is known in which language: a label, and what fills its placeholders. */
export interface Phrase {
  label: Label;
  values?: TextValues;
}
export type TextValues = Record<string, string | number | Phrase>;

/** The words of a text, with their `{{placeholders}}`; a missing one shows its label in brackets. */
export const template = (language: Language, label: Label): string => all[label]?.[language] ?? `[${label}]`;

/** A text with its `{{placeholders}}` filled. */
export const text = (language: Language, label: Label, values: TextValues = {}): string =>
  template(language, label).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'object' ? phraseText(language, value) : String(value);
  });

export const phraseText = (language: Language, { label, values }: Phrase): string =>
  text(language, label, values);

/** The language of an Accept-Language header: any Chinese reads zh_HK, anything else the default. */
export const languageOf = (header: string | undefined): Language =>
  /^\s*zh\b/i.test(header ?? '') ? 'zh_HK' : DEFAULT_LANGUAGE;
