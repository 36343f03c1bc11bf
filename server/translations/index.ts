export { languageOf, pageTranslations, text, translationVersion } from './translations.ts';
