export { openSealed, seal } from './seal.ts';
