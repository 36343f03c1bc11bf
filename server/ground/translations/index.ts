export type { Label, LabelAfter } from './label.ts';
export { sayReason } from './say-reason.ts';
export {
  languageOf,
  type Phrase,
  pageTranslations,
  phraseText,
  type TextValues,
  text,
  translationVersion,
} from './translations.ts';
