export { adminPriceFiles, adminPriceRoutes } from './admin-routes.ts';
export { openPriceList, type PriceList, type PriceOf } from './price-list.ts';
