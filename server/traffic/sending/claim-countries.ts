import { readWallet, walletMails } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { keepCountries, lockCountries, readCountries } from './country-store.ts';
import type { Prepared } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';
import type { Terms } from './terms.ts';

/** The size of the cache; what it drops is read again. */
const KNOWN_AT_MOST = 100_000;

const nameOf = ({ accountId }: Terms, country: string): string => `${accountId} ${country}`;

/** Whether this process has yet to find out if the account wrote to the country before: mostly it has not. */
export const isNewCountry = (
  { knownCountries, rules }: Pick<SendingDeps, 'knownCountries' | 'rules'>,
  terms: Terms,
  { country }: Pick<Prepared, 'country'>,
): boolean =>
  !terms.test &&
  country !== '' &&
  rules.newCountries !== Number.POSITIVE_INFINITY &&
  !knownCountries.has(nameOf(terms, country));

const know = ({ knownCountries }: SendingDeps, terms: Terms, countries: string[]): void => {
  if (knownCountries.size >= KNOWN_AT_MOST) knownCountries.clear();
  for (const country of countries) knownCountries.add(nameOf(terms, country));
};

/** Whether `now` reaches 80 % of the limit, which `before` did not. */
const comesNear = (limit: number, { before, now }: { before: number; now: number }): boolean =>
  before * 5 < limit * 4 && now * 5 >= limit * 4;

/** Those that the account has never written to; throws if they are too many for a day. */
export const judgeCountries = async (
  { db, rules }: Pick<SendingDeps, 'db' | 'rules'>,
  { accountId }: Terms,
  countries: string[],
): Promise<{ fresh: string[]; today: number; limit: number }> => {
  const { written, today } = await readCountries(db, accountId);
  const fresh = countries.filter((country) => !written.has(country));
  if (fresh.length === 0) return { fresh, today, limit: 0 };
  const limit = (await readWallet(db, accountId)).newCountriesLimit ?? rules.newCountries;
  if (today + fresh.length > limit)
    throw new DomainError('E_NEW_COUNTRIES', { limit, countries: fresh.slice(0, 10).join(', ') });
  return { fresh, today, limit };
};

/**
 * Counts countries that the account writes to for the first time, and throws if they are too many for a day: a stolen
 * secret is used for countries that its owner never writes to. Only where there is one, other calls of the account wait
 * for this one. Within a transaction that may be rolled back, they are not yet known.
 */
export const claimCountries = async (
  deps: SendingDeps,
  terms: Terms,
  messages: Pick<Prepared, 'country'>[],
  { within = false } = {},
): Promise<void> => {
  const { accountId } = terms;
  const countries = [...new Set(messages.map(({ country }) => country))];
  const claim = async (trx: SendingDeps['db']): Promise<void> => {
    await lockCountries(trx, accountId);
    const { fresh, today, limit } = await judgeCountries({ ...deps, db: trx }, terms, countries);
    if (fresh.length === 0) return;
    await keepCountries(trx, accountId, fresh);
    if (comesNear(limit, { before: today, now: today + fresh.length }))
      await walletMails.request(
        { db: trx, queue: deps.queue },
        { kind: 'new-countries', accountId, limit: String(limit) },
      );
  };
  const { fresh } = await judgeCountries(deps, terms, countries);
  if (within) return fresh.length > 0 ? claim(deps.db) : undefined;
  if (fresh.length > 0) await deps.db.transaction().execute(claim);
  know(deps, terms, countries);
};
