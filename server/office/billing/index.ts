export { billingFiles, billingRoutes } from './routes.ts';
