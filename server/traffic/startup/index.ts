export { type StartupDeps, startupRoutes } from './routes.ts';
