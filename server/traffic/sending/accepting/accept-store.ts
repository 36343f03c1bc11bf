import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type CaptureOutcome, captures } from '../../../customer/wallet/index.ts';
import { type Db, prepared } from '../../../ground/postgres/index.ts';
import type { BatchFacts, NewMessage } from '../../outbox/index.ts';
import { insertingBatches, insertingMessages } from '../../outbox/index.ts';
import type { SendingDeps } from '../sending-deps.ts';
import { type AnsweredKey, type IdempotencyKey, insertingKeys, usedKeys } from './key-store.ts';

/** What is accepted and paid together, or not at all. */
export interface AcceptedGroup {
  batch: BatchFacts;
  accepted: number;
  totalMicros: bigint;
  /** Those that are still to be stored. */
  messages: NewMessage[];
  /** Of the calls that it consists of, with their answers but for the balance. */
  keys: AnsweredKey[];
}

interface Acceptance {
  /** Each account once. */
  groups: AcceptedGroup[];
  /** Accounts that are not known to have opt-outs: one that has is left out. */
  unchecked: AccountId[];
  /** Leaves out accounts whose new balance needs a follow-up, such as a top-up or a mail. */
  fastPath: boolean;
}

export interface Stored {
  /** Of the accounts that were not left out. */
  outcomes: Map<AccountId, CaptureOutcome>;
  /** Keys that were used before: their accounts were left out. */
  used: Pick<IdempotencyKey, 'accountId' | 'key'>[];
  /** Accounts that were left out because they have opt-outs. */
  having: AccountId[];
}

type Row = Omit<CaptureOutcome, 'outcome'> & {
  account_id: AccountId | null;
  outcome: CaptureOutcome['outcome'] | null;
  used: [AccountId, string][] | null;
  opting: AccountId[] | null;
};

/**
 * Charges accounts and stores what they sent, in one statement: the round trip to the database costs more than the work
 * there. An account whose group can't be accepted as it is gets nothing stored and is not charged; the others are
 * accepted.
 */
export const storeGroups = async (
  db: Db,
  {
    optOuts,
    hasSubscriber,
    publishingRows,
    rules,
  }: Pick<SendingDeps, 'optOuts' | 'hasSubscriber' | 'publishingRows' | 'rules'>,
  { groups, unchecked, fastPath }: Acceptance,
): Promise<Stored> => {
  const batches = groups.map(({ batch, accepted, totalMicros }) => ({ ...batch, accepted, totalMicros }));
  const messages = groups.flatMap((group) => group.messages);
  const keys = groups.flatMap((group) => group.keys);
  const charged = captures(
    groups.map(({ batch, accepted, totalMicros }) => ({
      accountId: batch.accountId,
      amountMicros: totalMicros,
      cause: `batch:${batch.id}`,
      details: { channel: batch.channel, messages: accepted },
      simulated: batch.test,
    })),
    {
      fastPath,
      rules,
      except: sql`given.account_id in (select account_id from used) or given.account_id in (select id from opting)`,
    },
  );
  const published = hasSubscriber(batches.map(({ accountId }) => accountId))
    ? sql`published as (${publishingRows(sql`(select *, 'accepted' as kind from put)`)}),`
    : sql``;
  const put = sql`put as (${insertingMessages(batches, messages, { accepted: true })}
      returning account_id, id, created_at), ${published}`;
  const { rows } = await sql<Row>`
    ${prepared('accept')}
    with used as materialized (${usedKeys(keys)}),
      opting as materialized (${optOuts.having(unchecked)}),
      charged as materialized (${charged}),
      accepted as materialized (select account_id, entry_id, balance_micros from charged where outcome = 'posted'),
      made as (${insertingBatches(batches)}),
      ${messages.length > 0 ? put : sql``}
      answered as (${insertingKeys(keys)})
    select charged.*, (select json_agg(json_build_array(account_id, key)) from used) as used,
      (select json_agg(id) from opting) as opting
    from (values (1)) as one left join charged on true`.execute(db);
  const outcomes = new Map<AccountId, CaptureOutcome>();
  for (const { account_id, outcome, ...row } of rows)
    if (account_id !== null && outcome !== null) outcomes.set(account_id, { ...row, outcome });
  return {
    outcomes,
    used: (rows[0]?.used ?? []).map(([accountId, key]) => ({ accountId, key })),
    having: rows[0]?.opting ?? [],
  };
};
