export { adminPriceFiles, adminPriceRoutes } from './admin-routes.ts';
export type { PriceRouteDeps } from './list-prices.ts';
export { openPriceList, type PriceList, type PriceOf } from './price-list.ts';
