export { openPriceList, type PriceList, type PriceOf, type Ware } from './price-list.ts';
