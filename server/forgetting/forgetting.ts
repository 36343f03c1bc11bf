import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';

/** Where the next piece begins, as whoever removes wrote it. */
export type Mark = string;

export interface Piece {
  rows: number;
  /** The youngest of what was removed, if it has a time. */
  upTo?: Date | undefined;
  /** Undefined at the end. */
  next: Mark | undefined;
}

/** What a room keeps of an account and how it is removed, in pieces that each are one short transaction. */
export interface Forgetting {
  count: (db: Db, accountId: AccountId) => Promise<number>;
  remove: (
    trx: Db,
    piece: { accountId: AccountId; after: Mark | undefined; limit: number },
  ) => Promise<Piece>;
}

/** Of something that is gone once removed: whatever is left is the next piece. */
export const untilGone = (rows: number, limit: number): Piece => ({
  rows,
  next: rows < limit ? undefined : '',
});
