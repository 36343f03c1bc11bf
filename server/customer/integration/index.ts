export { type CallLog, openCallLog } from './call-log.ts';
export { type IntegrationDeps, integrationRoutes } from './routes.ts';
export { sampleCodes } from './samples.ts';
export { integrationTasks } from './tasks.ts';
