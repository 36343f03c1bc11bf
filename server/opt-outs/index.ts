export { exportOptOuts } from './export-opt-outs.ts';
export { findOptedOut } from './find-opted-out.ts';
export { forgetOptOuts } from './forget-opt-outs.ts';
export { hearReplies } from './hear-replies.ts';
export { importOptOuts } from './import-opt-outs.ts';
export type { OptOutsDeps } from './opt-outs-deps.ts';
export { optOutRoutes } from './routes.ts';
export { type Addressee, accountsHaving, findOptOut } from './store.ts';
export { resubscribe, unsubscribe } from './unsubscribe.ts';
