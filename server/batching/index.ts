export { type Batcher, type BatcherOptions, openBatcher, type Settled } from './batcher.ts';
export { prefetch } from './prefetch.ts';
