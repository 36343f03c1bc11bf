export { type CarrierOf, carrierOf, openCarriers } from './carrier-of.ts';
export { adminCarrierRoutes } from './routes.ts';
export { carrierOfNumber, type NamedCarrier, readCarriers, readPrefixes, replacePrefixes } from './store.ts';
