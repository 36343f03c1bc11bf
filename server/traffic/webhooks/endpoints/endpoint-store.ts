import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** Its notifications are `event ID` if an account has new events, and `endpoint ID` if its endpoint changed. */
export const WEBHOOKS_CHANNEL = 'posthorn_webhooks';

/** Where an account's events go, and the state of that endpoint. */
export interface Endpoint {
  url: string;
  eventsPerCall: number;
  secretSealed: Buffer | null;
  previousSealed: Buffer | null;
  previousUntil: Date | null;
  failures: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
  toldAt: Date | null;
  goneAt: Date | null;
}

const COLUMNS = sql`url, events_per_call as "eventsPerCall", secret_sealed as "secretSealed", failures, failing_since as "failingSince",
  case when previous_until > now() then previous_sealed end as "previousSealed",
  case when previous_until > now() then previous_until end as "previousUntil",
  case when paused_until > now() then paused_until end as "pausedUntil", told_at as "toldAt", gone_at as "goneAt"`;
/** A new address, or a customer who resumes, starts with a clean state. */
const AFRESH = sql`failures = 0, failing_since = null, paused_until = null, told_at = null, gone_at = null`;

const noticing = (accountId: AccountId) =>
  sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${`endpoint ${accountId}`})`;

export const readEndpoint = async (db: Db, accountId: AccountId): Promise<Endpoint | undefined> => {
  const { rows } = await sql<Endpoint>`
    select ${COLUMNS} from webhook_endpoints where account_id = ${accountId}`.execute(db);
  return rows[0];
};

export const setEndpointUrl = async (db: Db, accountId: AccountId, url: string): Promise<void> => {
  await sql`insert into webhook_endpoints as e (account_id, url) values (${accountId}, ${url})
    on conflict (account_id) do update set url = excluded.url, ${AFRESH}`.execute(db);
  await noticing(accountId).execute(db);
};

export const setEventsPerCall = async (
  db: Db,
  accountId: AccountId,
  eventsPerCall: number,
): Promise<void> => {
  await sql`insert into webhook_endpoints (account_id, events_per_call) values (${accountId}, ${eventsPerCall})
    on conflict (account_id) do update set events_per_call = excluded.events_per_call`.execute(db);
  await noticing(accountId).execute(db);
};

/** The customer resumes the endpoint. */
export const resumeEndpoint = async (db: Db, accountId: AccountId): Promise<void> => {
  await sql`update webhook_endpoints set ${AFRESH} where account_id = ${accountId}`.execute(db);
  await noticing(accountId).execute(db);
};

/** Gives the account a signing secret unless it has one; returns the current endpoint. */
export const ensureSecret = async (db: Db, accountId: AccountId, sealed: Buffer): Promise<Endpoint> => {
  const { rows } = await sql<Endpoint>`
    insert into webhook_endpoints as e (account_id, secret_sealed) values (${accountId}, ${sealed})
    on conflict (account_id) do update set secret_sealed = coalesce(e.secret_sealed, excluded.secret_sealed)
    returning ${COLUMNS}`.execute(db);
  return rows[0] as Endpoint;
};

/** The previous secret keeps signing for this long. */
export const replaceSigningSecret = async (
  db: Db,
  accountId: AccountId,
  { sealed, overlapHours }: { sealed: Buffer; overlapHours: number },
): Promise<void> => {
  await sql`insert into webhook_endpoints as e (account_id, secret_sealed) values (${accountId}, ${sealed})
    on conflict (account_id) do update set secret_sealed = excluded.secret_sealed,
      previous_sealed = e.secret_sealed,
      previous_until = case when e.secret_sealed is not null
        then now() + ${overlapHours} * interval '1 hour' end`.execute(db);
  await noticing(accountId).execute(db);
};

/** All subscribers. */
export const listReceiving = async (db: Db): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    select account_id as "accountId" from webhook_endpoints where url <> ''`.execute(db);
  return rows.map(({ accountId }) => accountId);
};

interface Lease {
  holder: string;
  leaseMs: number;
}

/** Takes the lease of an endpoint, if it is free and something may be sent to it. */
export const takeEndpoint = async (
  db: Db,
  accountId: AccountId,
  { holder, leaseMs }: Lease,
): Promise<Endpoint | undefined> => {
  const { rows } = await sql<Endpoint>`
    update webhook_endpoints set leased_by = ${holder},
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where account_id = ${accountId} and url <> '' and gone_at is null
      and (paused_until is null or paused_until <= now())
      and (leased_by is null or leased_until < clock_timestamp())
    returning ${COLUMNS}`.execute(db);
  return rows[0];
};

/** Returns the endpoints whose lease is still ours. */
export const renewEndpoints = async (db: Db, { holder, leaseMs }: Lease): Promise<Set<AccountId>> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    update webhook_endpoints set leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where leased_by = ${holder} returning account_id as "accountId"`.execute(db);
  return new Set(rows.map(({ accountId }) => accountId));
};

export const releaseEndpoint = async (
  db: Db,
  { accountId, holder }: { accountId: AccountId; holder: string },
): Promise<void> => {
  await sql`update webhook_endpoints set leased_by = null, leased_until = null
    where account_id = ${accountId} and leased_by = ${holder}`.execute(db);
};

/** The state of an endpoint after its holder's last answers. */
export interface Health {
  accountId: AccountId;
  failures: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
  toldAt: Date | null;
  goneAt: Date | null;
}

/** Unless the customer has changed the address meanwhile: then the answers came from the previous one. */
export const storeHealth = async (
  db: Db,
  health: Health & { url: string; holder: string },
): Promise<boolean> => {
  const { rows } = await sql`
    update webhook_endpoints set failures = ${health.failures}, failing_since = ${health.failingSince},
      paused_until = ${health.pausedUntil}, told_at = ${health.toldAt}, gone_at = ${health.goneAt}
    where account_id = ${health.accountId} and url = ${health.url} and leased_by = ${health.holder}
    returning account_id`.execute(db);
  return rows.length > 0;
};

/** Endpoints that fail, those that have for longest first. */
export const listFailingEndpoints = async (
  db: Db,
  limit: number,
): Promise<{ accountId: AccountId; since: Date }[]> => {
  const { rows } = await sql<{ accountId: AccountId; since: Date }>`
    select account_id as "accountId", failing_since as since from webhook_endpoints
    where failing_since is not null and url <> '' order by failing_since limit ${limit}`.execute(db);
  return rows;
};
