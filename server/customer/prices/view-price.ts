import type { PriceView } from '../../../contract/customer/prices.ts';
import { decimalFromMicros } from '../../../contract/ground/money.ts';
import type { NewPrice } from './store.ts';

export const viewPrice = (price: NewPrice & { id: number | null }): PriceView => ({
  priceId: price.id,
  channel: price.channel,
  country: price.country,
  carrierName: price.carrier,
  range: price.range,
  unitPrice: decimalFromMicros(price.unitMicros),
  validFrom: price.validFrom.toISOString(),
  validUntil: price.validUntil?.toISOString() ?? null,
});
