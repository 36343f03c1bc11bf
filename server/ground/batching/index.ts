export { type Batcher, openBatcher } from './batcher.ts';
export { coalesced } from './coalesced.ts';
export { prefetch } from './prefetch.ts';
