export type { OverviewDeps } from './read-concerns.ts';
export { adminOverviewRoutes } from './routes.ts';
