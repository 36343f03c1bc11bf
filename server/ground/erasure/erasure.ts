import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../postgres/index.ts';

/** Where the next piece begins, as the removing function wrote it. */
export type Mark = string;

export interface Piece {
  rows: number;
  /** The youngest of what was removed, if it has a time. */
  upTo?: Date | undefined;
  /** Undefined at the end. */
  next: Mark | undefined;
}

/** What a room stores about an account and how it is removed, in pieces that are one short transaction each. */
export interface Forgetting {
  count: (db: Db, accountId: AccountId) => Promise<number>;
  remove: (
    trx: Db,
    piece: { accountId: AccountId; after: Mark | undefined; limit: number },
  ) => Promise<Piece>;
}

/** For data that is gone once removed: whatever is left is the next piece. */
export const untilGone = (rows: number, limit: number): Piece => ({
  rows,
  next: rows < limit ? undefined : '',
});
