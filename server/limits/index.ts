export { type LimitKind, type Limits, openLimits } from './limits.ts';
