export { type Forgetting, type Mark, type Piece, untilGone } from './erasure.ts';
