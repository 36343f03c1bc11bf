export { type CarrierOf, carrierOf, numbersOf, openCarriers } from './carrier-of.ts';
export { adminCarrierRoutes } from './routes.ts';
export { type CarrierPrefix, readPrefixes, replacePrefixes } from './store.ts';
