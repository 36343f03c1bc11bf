export { type AcceptedBatch, accept, type Batch } from './accept.ts';
export type { MessagesDeps } from './messages-deps.ts';
export { openMessages } from './open-messages.ts';
export { type Prepared, prepare, readTerms, type Terms, type Wanted } from './prepare.ts';
export { type MessageRouteDeps, messageRoutes, sendingRoutes } from './routes.ts';
export { messageTasks } from './tasks.ts';
