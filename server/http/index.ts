export { addWeb, buildApp } from './app.ts';
export { replyWithError } from './error-reply.ts';
export { type Address, choosePort, listen, localUrl } from './listen.ts';
export { recordCalls } from './record-calls.ts';
export { registerRoutes } from './register-routes.ts';
export { registerWebhooks } from './register-webhooks.ts';
export { type RoomDeps, routeTable } from './route-table.ts';
