import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { API_CALLS_HOURS, type CallOutcome } from '../../../contract/customer/integration.ts';
import type { Db } from '../../ground/postgres/index.ts';

interface ApiCallsTable {
  slot: number;
  account_id: AccountId;
  id: string;
  last_at: Date;
  succeeded: number;
  refused: number;
  failed: number;
  calls: Buffer;
}
const tables = (db: Db) => db.withTables<{ api_calls: ApiCallsTable }>();

const SLOT_HOURS = 12;
const SLOTS = 4;
/** By the database's clock: those of the processes may differ. */
const slotNow = sql<number>`(extract(epoch from now())::bigint / ${SLOT_HOURS * 3600} % ${SLOTS})::smallint`;

const COUNTERS = { SUCCEEDED: 'succeeded', REFUSED: 'refused', FAILED: 'failed' } as const;

export interface CallPack {
  accountId: AccountId;
  id: string;
  lastAtMs: number;
  succeeded: number;
  refused: number;
  failed: number;
  calls: Buffer;
}

/** Does not wait for the disk: senders should not wait longer because of a log. */
export const insertPacks = async (db: Db, packs: CallPack[]): Promise<void> => {
  const column = <K extends keyof CallPack>(key: K) => packs.map((pack) => pack[key]);
  await sql`
    with unhurried as (select set_config('synchronous_commit', 'off', true))
    insert into api_calls (slot, account_id, id, last_at, succeeded, refused, failed, calls)
    select ${slotNow}, account_id, id, to_timestamp(last_at / 1000), succeeded, refused, failed, calls
    from unhurried, unnest(
      ${column('accountId')}::uuid[], ${column('id')}::uuid[], ${column('lastAtMs')}::float8[],
      ${column('succeeded')}::int[], ${column('refused')}::int[], ${column('failed')}::int[],
      ${column('calls')}::bytea[]
    ) as pack (account_id, id, last_at, succeeded, refused, failed, calls)`.execute(db);
};

export interface PackFilter {
  accountId: AccountId;
  outcome: CallOutcome | undefined;
}

const since = sql<Date>`now() - make_interval(hours => ${API_CALLS_HOURS})`;

/** Where to continue: at the pack itself, or after it. */
export interface PackPlace {
  id: string;
  operator: '<=' | '<';
}

/** Newest first. */
export const readPacks = (
  db: Db,
  { accountId, outcome, from, limit }: PackFilter & { from: PackPlace | undefined; limit: number },
): Promise<{ id: string; calls: Buffer }[]> =>
  tables(db)
    .selectFrom('api_calls')
    .select(['id', 'calls'])
    .where('account_id', '=', accountId)
    .where('last_at', '>', since)
    .$if(outcome !== undefined, (query) => query.where(COUNTERS[outcome as CallOutcome], '>', 0))
    .$if(from !== undefined, (query) => query.where('id', from?.operator ?? '<=', from?.id ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const countCalls = async (db: Db, { accountId, outcome }: PackFilter): Promise<number> => {
  const wanted = outcome
    ? sql<string | null>`sum(${sql.ref(COUNTERS[outcome])})`
    : sql<string | null>`sum(succeeded + refused + failed)`;
  const { total } = await tables(db)
    .selectFrom('api_calls')
    .select(wanted.as('total'))
    .where('account_id', '=', accountId)
    .where('last_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
};

/** Empties the partition that is used next. Everything in it is older than the hours that are shown. */
export const emptyNextSlot = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ next: number }>`select (${slotNow} + 1) % ${SLOTS} as next`.execute(trx);
    const partition = sql.table(`api_calls_${rows[0]?.next ?? 0}`);
    // Readers lock it for moments only; if one hangs, the next hour tries again.
    await sql`set local lock_timeout = '5s'`.execute(trx);
    const { rows: kept } = await sql`select 1 from ${partition} limit 1`.execute(trx);
    if (kept.length > 0) await sql`truncate ${partition}`.execute(trx);
  });
