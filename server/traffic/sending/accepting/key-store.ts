import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** What names a call, so that a repeat of it can be recognised. */
export interface IdempotencyKey {
  accountId: AccountId;
  key: string;
  /** Hash of the request: the same key must come with the same request. */
  requestHash: Buffer;
}

export interface AnsweredKey extends IdempotencyKey {
  answer: unknown;
}

type KeyName = Pick<IdempotencyKey, 'accountId' | 'key'>;

const given = (keys: KeyName[]) => sql`unnest(${keys.map(({ accountId }) => accountId)}::uuid[],
  ${keys.map(({ key }) => key)}::text[]) as given (account_id, key)`;

const isGiven = sql`k.account_id = given.account_id and k.key = given.key`;

/** A query for those that were used before. */
export const usedKeys = (keys: KeyName[]) => sql<{ account_id: AccountId; key: string }>`
  select k.account_id, k.key from ${given(keys)} join idempotency_keys k on ${isGiven}`;

/** The keys that were used before, with the first answer. */
export const findKeys = async (db: Db, keys: KeyName[]): Promise<AnsweredKey[]> => {
  const { rows } = await sql<IdempotencyKey & { answer: string }>`
    select k.account_id as "accountId", k.key, k.request_hash as "requestHash", k.answer
    from ${given(keys)} join idempotency_keys k on ${isGiven}`.execute(db);
  return rows.map(({ answer, ...key }) => ({ ...key, answer: JSON.parse(answer) }));
};

/** JSON has no line breaks of its own. As an array each of its quotes would be escaped, and read again. */
const answersOf = (keys: AnsweredKey[]): string =>
  keys.map(({ answer }) => JSON.stringify(answer)).join('\n');

/**
 * Of the CTE `accepted`: the accounts that paid. The balance is added to each answer. Another transaction may have
 * used one of the keys since they were looked for: then the statement fails, see `isKeyUsed`.
 */
export const insertingKeys = (keys: AnsweredKey[]) => sql`
  insert into idempotency_keys (account_id, key, request_hash, answer)
  select given.account_id, given.key, given.request_hash,
    left(given.answer, -1) || ',"balance":' || trim_scale(accepted.balance_micros / 1000000.0) || '}'
  from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[],
    ${keys.map(({ requestHash }) => requestHash)}::bytea[],
    string_to_array(${answersOf(keys)}::text, chr(10))) as given (account_id, key, request_hash, answer)
  join accepted on accepted.account_id = given.account_id
  order by given.account_id, given.key`;

export const isKeyUsed = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === 'idempotency_keys_pkey';

export const removeOldKeys = async (db: Db, afterDays: number): Promise<void> => {
  await sql`delete from idempotency_keys
    where created_at < now() - make_interval(days => ${afterDays})`.execute(db);
};
