export { readDoubtFilter } from './doubt-routes.ts';
export { type DoubtFilter, listIdsInDoubt } from './doubt-store.ts';
export { resolveWithin } from './resolve.ts';
