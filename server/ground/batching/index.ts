export { type Batcher, openBatcher } from './batcher.ts';
export { prefetch } from './prefetch.ts';
