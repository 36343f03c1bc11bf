import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { SILENT_MS } from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import { type Db, storableJson } from '../../ground/postgres/index.ts';

export interface AgentRow {
  id: AgentId;
  name: string;
  version: string;
  settings: object;
  joinedAt: Date;
  seenAt: Date | null;
  connected: boolean;
}

/** Of the agent `a`: it has a connection that was heard of lately. */
export const IS_CONNECTED = sql`(a.connection_id is not null and a.removed_at is null
  and a.seen_at > clock_timestamp() - ${sql.lit(SILENT_MS)} * interval '1 ms')`;

export const insertKey = async (
  db: Db,
  { keyHash, madeBy, lifetimeSeconds }: { keyHash: Buffer; madeBy: AccountId; lifetimeSeconds: number },
): Promise<Date> => {
  await sql`delete from agent_keys where expires_at < now() - interval '1 day'`.execute(db);
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into agent_keys (key_hash, made_by, expires_at)
    values (${keyHash}, ${madeBy}, now() + ${lifetimeSeconds} * interval '1 second')
    returning expires_at as "expiresAt"`.execute(db);
  return rows[0]?.expiresAt as Date;
};

/** Whether there is such a key that nobody has used. It is used up then. */
export const takeKey = async (trx: Db, keyHash: Buffer, agentId: AgentId): Promise<boolean> => {
  const { rows } = await sql`
    update agent_keys set used_by = ${agentId}
    where key_hash = ${keyHash} and used_by is null and expires_at > now() returning 1`.execute(trx);
  return rows.length > 0;
};

/** Locked: two connections of an agent are told apart one after the other. */
export const lockAgent = async (
  trx: Db,
  agentId: AgentId,
): Promise<{ secretHash: Buffer; removed: boolean } | undefined> => {
  const { rows } = await sql<{ secretHash: Buffer; removed: boolean }>`
    select secret_hash as "secretHash", removed_at is not null as removed from agents
    where id = ${agentId} for update`.execute(trx);
  return rows[0];
};

export interface Introduction {
  agentId: AgentId;
  name: string;
  version: string;
}

export const insertAgent = async (
  trx: Db,
  { agentId, name, version, secretHash }: Introduction & { secretHash: Buffer },
): Promise<void> => {
  await sql`insert into agents (id, name, version, secret_hash)
    values (${agentId}, ${name}, ${version}, ${secretHash})`.execute(trx);
};

/** From now on this connection counts. Returns what the agent is to know. */
export const connectAgent = async (
  trx: Db,
  { agentId, name, version, connectionId }: Introduction & { connectionId: string },
): Promise<{ settings: object; now: Date }> => {
  const { rows } = await sql<{ settings: object; now: Date }>`
    update agents set connection_id = ${connectionId}, name = ${name}, version = ${version},
      seen_at = clock_timestamp()
    where id = ${agentId} returning settings, clock_timestamp() as now`.execute(trx);
  return rows[0] as { settings: object; now: Date };
};

/** These connections are alive. Returns those that no longer count. */
export const touchConnections = async (db: Db, connectionIds: string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with alive as (
      update agents set seen_at = clock_timestamp()
      where connection_id = any(${connectionIds}::uuid[]) and removed_at is null returning connection_id
    ) select id from unnest(${connectionIds}::uuid[]) as given (id)
    where id not in (select connection_id from alive)`.execute(db);
  return rows.map(({ id }) => id);
};

/** Returns whose connection it was, unless a newer one has taken its place. */
export const endConnection = async (db: Db, connectionId: string): Promise<AgentId | undefined> => {
  const { rows } = await sql<{ id: AgentId }>`
    update agents set connection_id = null where connection_id = ${connectionId} returning id`.execute(db);
  return rows[0]?.id;
};

/** The last to join first; removed ones are left out. */
export const listAgents = async (db: Db): Promise<AgentRow[]> => {
  const { rows } = await sql<AgentRow>`
    select a.id, a.name, a.version, a.settings, a.joined_at as "joinedAt", a.seen_at as "seenAt",
      ${IS_CONNECTED} as connected
    from agents a where removed_at is null order by joined_at desc limit 1000`.execute(db);
  return rows;
};

export const readAgentNames = async (db: Db, ids: AgentId[]): Promise<Pick<AgentRow, 'id' | 'name'>[]> => {
  const { rows } = await sql<Pick<AgentRow, 'id' | 'name'>>`
    select id, name from agents where id = any(${ids}::uuid[])`.execute(db);
  return rows;
};

export const readAgentSettings = async (db: Db, agentId: AgentId): Promise<object | undefined> => {
  const { rows } = await sql<{ settings: object }>`
    select settings from agents where id = ${agentId} and removed_at is null`.execute(db);
  return rows[0]?.settings;
};

/** Returns those before; undefined if there is no such agent. */
export const updateSettings = async (
  db: Db,
  agentId: AgentId,
  settings: object,
): Promise<object | undefined> => {
  const { rows } = await sql<{ before: object }>`
    update agents set settings = ${storableJson(settings)}::jsonb
    from (select id, settings from agents where id = ${agentId} and removed_at is null for update) known
    where agents.id = known.id returning known.settings as before`.execute(db);
  return rows[0]?.before;
};

/** Returns what it was; undefined if there is no such agent. */
export const removeAgent = async (
  db: Db,
  agentId: AgentId,
): Promise<Pick<AgentRow, 'name' | 'version' | 'joinedAt'> | undefined> => {
  const { rows } = await sql<Pick<AgentRow, 'name' | 'version' | 'joinedAt'>>`
    update agents set removed_at = now(), connection_id = null
    where id = ${agentId} and removed_at is null returning name, version, joined_at as "joinedAt"`.execute(
    db,
  );
  return rows[0];
};
