import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../../contract/ground/constants.ts';

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

const keepers = new Set<() => Promise<void>>();

/** Is done before a change of language reloads the page, by what only the page holds. */
export const beforeReload = (keeper: () => Promise<void>): void => {
  keepers.add(keeper);
};

/** Texts are loaded once at the start, so the page is reloaded. */
export const changeLanguage = async (language: Language): Promise<void> => {
  if (language === activeLanguage()) return;
  localStorage.setItem(STORAGE_KEY, language);
  await Promise.allSettled([...keepers].map((keeper) => keeper()));
  window.location.reload();
};
