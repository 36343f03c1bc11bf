import type { PriceChanges } from '../../../contract/customer/prices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { dropPrice, endPriceAt, findPrice, lockPrices } from './store.ts';
import { viewPrice } from './view-price.ts';

interface Ending {
  priceId: number;
  /** Without one: now. */
  validUntil: Date | undefined;
  preview: boolean;
}

/** Its destination is refused from then on, unless another price begins. One that has not begun is dropped. */
export const endPrice = (
  { db }: { db: Db },
  { priceId, preview, ...wanted }: Ending,
): Promise<PriceChanges> =>
  db.transaction().execute(async (trx) => {
    await lockPrices(trx);
    const now = new Date();
    const validUntil = wanted.validUntil ?? now;
    const price = await findPrice(trx, priceId);
    if (!price) throw new DomainError('E_NOT_FOUND');
    const isOver = price.validUntil !== null && price.validUntil <= validUntil;
    if (validUntil < now || isOver) throw new DomainError('E_PRICE_PAST');
    if (price.validFrom >= validUntil) {
      if (!preview) await dropPrice(trx, priceId);
      return { begins: null, ends: [], drops: [viewPrice(price)] };
    }
    if (!preview) await endPriceAt(trx, { id: priceId, validUntil });
    return { begins: null, ends: [viewPrice({ ...price, validUntil })], drops: [] };
  });
