import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';

export interface Key {
  accountId: AccountId;
  key: string;
  /** Hash of the request: the same key must come with the same request. */
  requestHash: Buffer;
}

export interface AnsweredKey extends Key {
  answer: unknown;
}

const columns = (keys: Pick<Key, 'accountId' | 'key'>[]) =>
  sql`${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[]`;

/** The keys that were used before, with the first answer. */
export const findKeys = async (db: Db, keys: Pick<Key, 'accountId' | 'key'>[]): Promise<AnsweredKey[]> => {
  const { rows } = await sql<AnsweredKey>`
    select k.account_id as "accountId", k.key, k.request_hash as "requestHash", k.answer
    from idempotency_keys k join unnest(${columns(keys)}) as given (account_id, key)
      on k.account_id = given.account_id and k.key = given.key`.execute(db);
  return rows;
};

/**
 * Takes the keys for this transaction and returns those that were used before. It waits for other transactions that
 * have taken one of them; the fixed order prevents deadlocks.
 */
export const takeKeys = async (db: Db, keys: Key[]): Promise<AnsweredKey[]> => {
  const { numAffectedRows } = await sql`
    insert into idempotency_keys (account_id, key, request_hash)
    select * from unnest(${columns(keys)}, ${keys.map(({ requestHash }) => requestHash)}::bytea[])
      as given (account_id, key, request_hash)
    order by account_id, key on conflict do nothing`.execute(db);
  if (Number(numAffectedRows) === keys.length) return [];
  // Our own keys are among them, without an answer yet.
  return (await findKeys(db, keys)).filter(({ answer }) => answer !== null);
};

export const answerKeys = async (db: Db, keys: Omit<AnsweredKey, 'requestHash'>[]): Promise<void> => {
  await sql`
    update idempotency_keys k set answer = given.answer
    from unnest(${columns(keys)}, ${keys.map(({ answer }) => JSON.stringify(answer))}::jsonb[])
      as given (account_id, key, answer)
    where k.account_id = given.account_id and k.key = given.key`.execute(db);
};

/** A refused call may be repeated, such as after a top-up. */
export const dropKeys = async (db: Db, keys: Pick<Key, 'accountId' | 'key'>[]): Promise<void> => {
  await sql`
    delete from idempotency_keys k using unnest(${columns(keys)}) as given (account_id, key)
    where k.account_id = given.account_id and k.key = given.key`.execute(db);
};

export const removeOldKeys = async (db: Db, afterDays: number): Promise<void> => {
  await sql`delete from idempotency_keys
    where created_at < now() - make_interval(days => ${afterDays})`.execute(db);
};
