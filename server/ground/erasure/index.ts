export { type ErasedPiece, type Erasure, type PieceCursor, pieceOf } from './erasure.ts';
