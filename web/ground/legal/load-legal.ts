import type { Language } from '../../../contract/ground/constants.ts';
import type { LegalText } from './legal-text.ts';

type Loader = Record<Language, () => Promise<LegalText>>;

/** The texts are long: each is fetched only when it is opened. */
export const loadTerms: Loader = {
  en_US: async () => (await import('./terms.en_US.ts')).terms,
  zh_HK: async () => (await import('./terms.zh_HK.ts')).terms,
};

export const loadPrivacy: Loader = {
  en_US: async () => (await import('./privacy.en_US.ts')).privacy,
  zh_HK: async () => (await import('./privacy.zh_HK.ts')).privacy,
};
