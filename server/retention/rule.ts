import type { RetentionRuleName } from '../../contract/retention.ts';
import type { Piece } from '../forgetting/index.ts';
import type { Db } from '../postgres/index.ts';

export interface Run {
  db: Db;
  /** The moment that counts as now, by the database's clock. */
  now: Date;
  /** What is older goes. */
  cutoff: Date;
  signal: AbortSignal;
  /** One short transaction; what it removes is in the log if and only if it commits. */
  piece: (remove: (trx: Db) => Promise<Piece>) => Promise<Piece>;
}

export interface Rule {
  name: RetentionRuleName;
  /** For how long it is kept: from the closing of the account, or from when it was written. */
  days: number;
  count: (db: Db, cutoff: Date) => Promise<number>;
  /** All of it, piece by piece; ends early when the signal says so. */
  remove: (run: Run) => Promise<void>;
}
