export { findFact, keepFact } from './store.ts';
