import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../postgres/index.ts';

/** Where the next piece begins, in the form that the erasing function chose. */
export type PieceCursor = string;

export interface ErasedPiece {
  rows: number;
  /** The time of the newest row that was removed, if rows have a time. */
  upTo?: Date | undefined;
  /** Undefined at the end. */
  next: PieceCursor | undefined;
}

/** What a room stores about an account and how it is removed, in pieces that are one short transaction each. */
export interface Erasure {
  count: (db: Db, accountId: AccountId) => Promise<number>;
  remove: (
    trx: Db,
    piece: { accountId: AccountId; after: PieceCursor | undefined; limit: number },
  ) => Promise<ErasedPiece>;
}

/** The result of a piece that deletes rows: deleted rows need no cursor, so the next piece takes what is left. */
export const pieceOf = (rows: number, limit: number): ErasedPiece => ({
  rows,
  next: rows < limit ? undefined : '',
});
