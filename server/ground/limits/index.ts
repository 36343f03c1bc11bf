export { openConcurrencyLimit } from './concurrency-limit.ts';
export { type Limits, openLimits } from './limits.ts';
export { type LoopDelay, openLoopDelay } from './loop-delay.ts';
export { openQuota, type Quota } from './quota.ts';
