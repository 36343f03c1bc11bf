export { allowedCalls } from './allowed-calls.ts';
export { buildApp } from './app.ts';
export { replyWithError } from './error-reply.ts';
export { registerQueryService } from './query-service.ts';
export { recordCalls } from './record-calls.ts';
export { type GuardedRoom, registerRoutes } from './registering/register-routes.ts';
export { registerWebhooks } from './registering/register-webhooks.ts';
export { type RoomDeps, routeTable } from './route-table.ts';
