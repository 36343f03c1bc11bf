export { buildApp } from './app.ts';
export { replyWithError } from './error-reply.ts';
export { recordCalls } from './record-calls.ts';
export { registerRoutes } from './register-routes.ts';
export { registerWebhooks } from './register-webhooks.ts';
