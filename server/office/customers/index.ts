export { CHANGES, changeAccount } from './change-account.ts';
export { type CustomersDeps, customerListRoutes, suspensionRoutes } from './routes.ts';
