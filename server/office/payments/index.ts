export { adminPaymentRoutes, type PaymentsDeps } from './admin-routes.ts';
