import type { PriceChanges } from '../../../contract/customer/prices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { callingCodeOf } from '../../ground/recipients/index.ts';
import { dropPrice, endPriceAt, findRivals, insertPrice, lockPrices, type NewPrice } from './store.ts';
import { viewPrice } from './view-price.ts';

export type WantedPrice = Omit<NewPrice, 'validFrom' | 'validUntil'> & {
  /** Without one: now. */
  validFrom: Date | undefined;
  validUntil: Date | undefined;
};

/** Email has neither country nor range; a number has a country, or is in a range that belongs to none. */
const requireDestination = ({ channel, country, range }: WantedPrice): void => {
  const fits = channel === 'email' ? country === '' && range === '' : country !== '' || range !== '';
  if (!fits) throw new DomainError('E_PRICE_DESTINATION');
  if (country !== '' && callingCodeOf(country) === undefined)
    throw new DomainError('E_COUNTRY_INVALID', { country });
};

/**
 * Sets a price from some time on: the one in force ends then, and what was planned for the time of the new one never
 * begins. What was in force is not changed, so past messages stay priced as they were. The caller has locked the prices.
 */
export const setPriceIn = async (
  trx: Db,
  wanted: WantedPrice,
  { now, preview }: { now: Date; preview: boolean },
): Promise<PriceChanges> => {
  requireDestination(wanted);
  const rivals = await findRivals(trx, wanted);
  const validFrom = wanted.validFrom ?? now;
  const validUntil = wanted.validUntil ?? null;
  if (validFrom < now || (validUntil !== null && validUntil <= validFrom))
    throw new DomainError('E_PRICE_PAST');
  const price: NewPrice = { ...wanted, validFrom, validUntil };
  const ending = rivals.filter(
    (rival) => rival.validFrom < validFrom && (rival.validUntil === null || rival.validUntil > validFrom),
  );
  const dropped = rivals.filter(
    (rival) => rival.validFrom >= validFrom && (validUntil === null || rival.validFrom < validUntil),
  );
  const changes = {
    ends: ending.map((rival) => viewPrice({ ...rival, validUntil: validFrom })),
    drops: dropped.map(viewPrice),
  };
  if (preview) return { begins: viewPrice({ ...price, id: null }), ...changes };
  for (const { id } of dropped) await dropPrice(trx, id);
  for (const { id } of ending) await endPriceAt(trx, { id, validUntil: validFrom });
  return { begins: viewPrice({ ...price, id: await insertPrice(trx, price) }), ...changes };
};

export const setPrice = (
  { db }: { db: Db },
  { preview, ...wanted }: WantedPrice & { preview: boolean },
): Promise<PriceChanges> =>
  db.transaction().execute(async (trx) => {
    requireDestination(wanted);
    await lockPrices(trx);
    return setPriceIn(trx, wanted, { now: new Date(), preview });
  });
