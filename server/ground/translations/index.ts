export type { Label, LabelAfter } from './label.ts';
export { sayReason } from './say-reason.ts';
export {
  languageOf,
  type Phrase,
  pageTranslations,
  say,
  type TextValues,
  text,
  translationVersion,
} from './translations.ts';
