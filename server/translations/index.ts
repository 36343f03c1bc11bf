export {
  languageOf,
  type Phrase,
  pageTranslations,
  say,
  type TextValues,
  text,
  translationVersion,
} from './translations.ts';
