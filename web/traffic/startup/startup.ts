import { type Answer, call } from '../../ground/api/call.ts';
import { activeLanguage } from '../../ground/i18n/language.ts';
import { setTexts } from '../../ground/i18n/translate.ts';

type Startup = Answer<'GET /startup'>;

let loaded: Startup | undefined;

/** The server's settings for the pages. Pages are rendered only after it was loaded. */
export const startup = (): Startup => {
  if (!loaded) throw new Error('The startup data is read before it was loaded.');
  return loaded;
};

const MINUTE_MS = 60_000;

/**
 * Changes the address every minute, so that no cache answers with older data. The first call has the stamp of the answer
 * that public/first.js has asked for already.
 */
const minuteStamp = () => {
  const asked = document.querySelector<HTMLLinkElement>('link[href*="/api/startup?"]:not([data-used])');
  if (!asked) return String(Math.floor(Date.now() / MINUTE_MS));
  asked.dataset.used = '';
  return new URL(asked.href).searchParams.get('_t') ?? '';
};

/** The version that the page was served with. The development server fills in none. */
const servedVersion = () =>
  document.querySelector<HTMLMetaElement>('meta[name="translation-version"]')?.content ?? '';

const loadTexts = (version: string) =>
  call('GET /translations', { query: { v: version, language: activeLanguage() }, anonymous: true });

export const loadStartup = async () => {
  const served = servedVersion();
  const [data, texts] = await Promise.all([
    call('GET /startup', { query: { _t: minuteStamp() }, anonymous: true }),
    loadTexts(served),
  ]);
  // A newer release may have come between the page and these calls.
  const { translations } =
    data.translationVersion === served ? texts : await loadTexts(data.translationVersion);
  setTexts(translations[activeLanguage()] ?? {});
  loaded = data;
};
