import { type Answer, call } from '../api/call.ts';
import { activeLanguage } from '../i18n/language.ts';
import { setTexts } from '../i18n/translate.ts';

type Startup = Answer<'GET /startup'>;

let loaded: Startup | undefined;

/** The server's settings for the pages. Pages are rendered only after it was loaded. */
export const startup = (): Startup => {
  if (!loaded) throw new Error('The startup data is read before it was loaded.');
  return loaded;
};

const MINUTE_MS = 60_000;

/** Changes the address every minute, so that no cache answers with older data. */
const minuteStamp = () => String(Math.floor(Date.now() / MINUTE_MS));

export const loadStartup = async () => {
  const data = await call('GET /startup', { query: { _t: minuteStamp() }, anonymous: true });
  const { translations } = await call('GET /translations', {
    query: { v: data.translationVersion },
    anonymous: true,
  });
  setTexts(translations[activeLanguage()] ?? {});
  loaded = data;
};
