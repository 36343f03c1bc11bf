import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../contract/constants.ts';

const STORAGE_KEY = 'activeLang';

/** The name of each language for the server, the document and the browser's formatters. */
export const LANGUAGE_TAGS: Record<Language, { http: string; html: string; format: string }> = {
  en_US: { http: 'en-US', html: 'en', format: 'en-US' },
  zh_HK: { http: 'zh-HK', html: 'zh-Hant-HK', format: 'zh-HK' },
};

export const activeLanguage = (): Language => {
  const stored = localStorage.getItem(STORAGE_KEY);
  return LANGUAGES.find((language) => language === stored) ?? DEFAULT_LANGUAGE;
};

/** Texts are loaded once at the start, so the page is reloaded. */
export const changeLanguage = (language: Language) => {
  if (language === activeLanguage()) return;
  localStorage.setItem(STORAGE_KEY, language);
  window.location.reload();
};
