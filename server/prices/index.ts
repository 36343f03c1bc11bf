export { openPriceList, type PriceList, type PriceOf } from './price-list.ts';
