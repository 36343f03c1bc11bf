export { adminReportRoutes } from './routes.ts';
