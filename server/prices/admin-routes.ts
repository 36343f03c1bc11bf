import { microsFromDecimal } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { endPrice } from './end-price.ts';
import { setPrice } from './set-price.ts';
import { listPrices } from './store.ts';
import { viewPrice } from './view-price.ts';

const dateOf = (moment: string | undefined): Date | undefined =>
  moment === undefined ? undefined : new Date(moment);

export const adminPriceRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /admin/prices': async ({ query: { past, ...which } }) => ({
    prices: (await listPrices(db, { ...which, past: past === 'true' })).map(viewPrice),
  }),
  'POST /admin/prices': ({ body: { carrierName, unitPrice, validFrom, validUntil, ...wanted } }) => {
    const unitMicros = microsFromDecimal(unitPrice);
    if (unitMicros === undefined) throw new DomainError('E_AMOUNT_INVALID');
    return setPrice(
      { db },
      {
        ...wanted,
        carrier: carrierName,
        unitMicros,
        validFrom: dateOf(validFrom),
        validUntil: dateOf(validUntil),
      },
    );
  },
  'POST /admin/prices/:priceId/end': ({ params, body }) =>
    endPrice({ db }, { ...params, preview: body.preview, validUntil: dateOf(body.validUntil) }),
});
