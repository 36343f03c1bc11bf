export { dropFact, findFact, keepFact } from './store.ts';
