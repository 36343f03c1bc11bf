export { type CustomersDeps, customerListRoutes, suspensionRoutes } from './routes.ts';
