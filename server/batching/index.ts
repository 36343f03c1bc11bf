export { prefetch } from './prefetch.ts';
