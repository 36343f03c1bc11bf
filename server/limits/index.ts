export { openConcurrencyLimit } from './concurrency-limit.ts';
export { type LimitKind, type Limits, openLimits } from './limits.ts';
