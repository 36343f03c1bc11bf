export { openConcurrencyLimit } from './concurrency-limit.ts';
export { type Limits, openLimits } from './limits.ts';
export { type LoopDelay, openLoopDelay } from './loop-delay.ts';
export { openPlaces, type TakePlace } from './places.ts';
