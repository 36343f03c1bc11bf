export type { BillingDeps } from './billing-deps.ts';
export { billingFiles, billingRoutes } from './routes.ts';
