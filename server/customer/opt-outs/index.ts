export { forgetOptOuts } from './erasure-store.ts';
export { exportOptOuts } from './export-opt-outs.ts';
export { findOptedOut } from './find-opted-out.ts';
export type { OptOutsDeps } from './opt-outs-deps.ts';
export { readReplies } from './read-replies.ts';
export { optOutFiles, optOutRoutes, optOutUploads } from './routes.ts';
export { accountsHaving, isOptedOut } from './store.ts';
export { type UnsubscribeDeps, unsubscribePages } from './unsubscribe-routes.ts';
export { makeUnsubscribeToken, readUnsubscribeToken } from './unsubscribe-token.ts';
