import type { RetentionRuleName } from '../../../contract/office/retention.ts';
import type { ErasedPiece } from '../../ground/erasure/index.ts';
import type { Db } from '../../ground/postgres/index.ts';

export interface RuleRun {
  db: Db;
  /** The moment that counts as now, by the database's clock. */
  now: Date;
  /** What is older is removed. */
  cutoff: Date;
  signal: AbortSignal;
  /** One short transaction; what it removes is in the log if and only if it commits. */
  piece: (remove: (trx: Db) => Promise<ErasedPiece>) => Promise<ErasedPiece>;
}

export interface RetentionRule {
  name: RetentionRuleName;
  /** How long it is kept: since the closing of the account, or since it was written. */
  days: number;
  count: (db: Db, cutoff: Date) => Promise<number>;
  /** Removes all of it, piece by piece; ends early if the signal is aborted. */
  remove: (run: RuleRun) => Promise<void>;
}
