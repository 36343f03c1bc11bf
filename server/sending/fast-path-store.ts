import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import {
  type BatchFacts,
  insertingMessages,
  insertingPaidBatches,
  type NewMessage,
} from '../outbox/index.ts';
import { type Db, prepared, steadyOf } from '../postgres/index.ts';
import { captures, readCapture } from '../wallet/index.ts';
import { type Paid, spendOf } from './debit.ts';
import type { SendingDeps } from './sending-deps.ts';

/** What `require_fast_path` raises. */
const NOT_FAST_PATH = 'PH001';

export const isNotFastPath = (error: unknown): boolean => (error as { code?: string }).code === NOT_FAST_PATH;

interface Acceptance<M> {
  paid: Paid<M>[];
  batches: BatchFacts[];
  messages: NewMessage[];
  /** Accounts that are not known to have opt-outs: the statement fails if one has. */
  unasked: AccountId[];
  optOuts: SendingDeps['optOuts'];
}

/** Debits, and stores batches and messages, in one statement; the entry and the balance of each account. */
export const acceptInOneStatement = async <M>(
  db: Db,
  { paid, batches, messages, unasked, optOuts }: Acceptance<M>,
) => {
  const { rows } = await sql<Parameters<typeof readCapture>[0] & { account_id: AccountId }>`
    ${prepared('accept-fast-path')}
    with captured as materialized (${captures(paid.map(spendOf))}),
      asked as materialized (${optOuts.having(unasked)}),
      made as (${insertingPaidBatches(
        paid.map(({ batch, members, totalMicros }) => ({ ...batch, accepted: members.length, totalMicros })),
      )}), put as (${insertingMessages(batches, messages)})
    select captured.*, require_fast_path(outcome = 'posted' and not top_up_due and not balance_low
      and not exists (select from asked)) from captured`.execute(steadyOf(db));
  return new Map(rows.map((row) => [row.account_id, readCapture(row)]));
};
