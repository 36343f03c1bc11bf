import type { Reply } from '../../../contract/calls.ts';
import type { Registration } from '../../../contract/customer/accounts.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../contract/ground/constants.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { callingCodeOf } from '../../ground/recipients/index.ts';
import type { OpenRoutes } from '../../ground/route/index.ts';
import { pageTranslations, translationVersion } from '../../ground/translations/index.ts';
import { readCarriers } from '../carriers/index.ts';
import { readSmsCountries } from './store.ts';

export interface StartupDeps {
  db: Db;
  contactEmail: string;
  sourceUrl: string;
  /** Whether outgoing mail stays on this machine, to be read on the mailbox page. */
  mailbox: boolean;
  registration: Registration;
  channels: () => Promise<Reply<'GET /startup'>['channels']>;
  /** Countries whose numbers have a price for SMS. */
  smsCountries: () => Promise<string[]>;
}

/** Those that can be paid for: the usual ones first, then what an admin has priced. */
const listCountries = async ({ db, smsCountries }: Pick<StartupDeps, 'db' | 'smsCountries'>) => {
  const [usual, priced] = await Promise.all([readSmsCountries(db), smsCountries()]);
  const known = usual.map(({ country }) => country);
  return [
    ...known.filter((country) => priced.includes(country)),
    ...priced.filter((country) => !known.includes(country)),
  ].map((country) => ({ country, countryCode: callingCodeOf(country) ?? '' }));
};

export const startupRoutes = ({
  db,
  contactEmail,
  sourceUrl,
  mailbox,
  registration,
  channels,
  smsCountries,
}: StartupDeps): OpenRoutes => ({
  'GET /startup': async () => {
    const [carriers, countries, offered] = await Promise.all([
      readCarriers(db),
      listCountries({ db, smsCountries }),
      channels(),
    ]);
    return {
      carrierNameMap: Object.fromEntries(carriers.map(({ name, short, long }) => [name, { short, long }])),
      availableSmsCountryCodes: countries,
      translationVersion,
      languages: LANGUAGES.map((code) => ({ code, name: LANGUAGE_NAMES[code] })),
      contactEmail,
      sourceUrl,
      channels: offered,
      mailbox,
      registration,
    };
  },
  'GET /translations': ({ query, header }) => {
    // A table requested by its version never changes; any other reply has to be revalidated.
    header(
      'cache-control',
      query.v === translationVersion ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    const { language } = query;
    return {
      version: translationVersion,
      translations: language ? { [language]: pageTranslations[language] } : pageTranslations,
    };
  },
});
