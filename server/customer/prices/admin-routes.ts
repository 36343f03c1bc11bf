import { z } from 'zod';
import { microsFromDecimal } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { type CallerFiles, type CallerRoutes, callerFile } from '../../ground/route/index.ts';
import { endPrice } from './end-price.ts';
import { importPrices } from './import-prices.ts';
import { listWithPurchase, type PriceRouteDeps } from './list-prices.ts';
import { exportPrices } from './price-csv.ts';
import { setPrice } from './set-price.ts';

const dateOf = (moment: string | undefined): Date | undefined =>
  moment === undefined ? undefined : new Date(moment);

export const adminPriceRoutes = ({ db, readLanes }: PriceRouteDeps): CallerRoutes => ({
  'GET /admin/prices': async ({ query: { past, ...which } }) => ({
    prices: await listWithPurchase({ db, readLanes }, { ...which, past: past === 'true' }),
  }),
  'POST /admin/prices/import': async ({ body, language, changed }) => {
    const imported = await importPrices({ db }, { ...body, language });
    changed({ after: imported });
    return imported;
  },
  'POST /admin/prices': async ({
    body: { carrierName, unitPrice, validFrom, validUntil, ...wanted },
    changed,
  }) => {
    const unitMicros = microsFromDecimal(unitPrice);
    if (unitMicros === undefined) throw new DomainError('E_AMOUNT_INVALID');
    const changes = await setPrice(
      { db },
      {
        ...wanted,
        carrier: carrierName,
        unitMicros,
        validFrom: dateOf(validFrom),
        validUntil: dateOf(validUntil),
      },
    );
    changed({
      subject: String(changes.begins?.priceId ?? ''),
      after: { ...changes, preview: wanted.preview },
    });
    return changes;
  },
  'POST /admin/prices/:priceId/end': async ({ params, body: { preview, validUntil }, changed }) => {
    const changes = await endPrice({ db }, { ...params, preview, validUntil: dateOf(validUntil) });
    changed({ after: { ...changes, preview } });
    return changes;
  },
});

export const adminPriceFiles = (deps: PriceRouteDeps): CallerFiles => ({
  'GET /admin/prices.csv': callerFile({
    summary: 'Prices in force and to come as a CSV file (admin)',
    params: z.strictObject({}),
    answer: () => ({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'prices.csv',
      body: exportPrices(deps),
    }),
  }),
});
