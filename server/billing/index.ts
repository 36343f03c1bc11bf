export { type BillingDeps, billingRoutes } from './routes.ts';
export { statementPdf } from './statement-pdf.ts';
