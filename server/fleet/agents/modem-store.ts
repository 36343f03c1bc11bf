import { sql } from 'kysely';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { IS_CONNECTED } from './agent-store.ts';

export interface ModemRow {
  agentId: AgentId;
  name: string;
  driver: 'serial' | 'gammu' | 'android';
  imsi: string;
  phoneNumber: string;
  phoneId: PhoneId | null;
  /** Of another agent: an operator has to confirm that its SIM has moved here. */
  movedPhoneId: PhoneId | null;
  movedAt: Date | null;
  up: boolean;
  reason: string;
  signal: number | null;
  network: string;
}

const columns = sql`agent_id as "agentId", name, driver, imsi, phone_number as "phoneNumber", phone_id as "phoneId",
  moved_phone_id as "movedPhoneId", moved_at as "movedAt", up, reason, signal, network`;

export const readModems = async (db: Db, agentIds: AgentId[]): Promise<ModemRow[]> => {
  const { rows } = await sql<ModemRow>`
    select ${columns} from agent_modems where agent_id = any(${agentIds}::uuid[]) order by name`.execute(db);
  return rows;
};

export type ToldModem = Pick<ModemRow, 'name' | 'driver'> &
  Partial<Pick<ModemRow, 'imsi' | 'phoneNumber' | 'up' | 'reason' | 'signal' | 'network'>>;

/** What is not given stays. A modem that comes up has no reason to be down any more. */
export const storeModems = async (trx: Db, agentId: AgentId, modems: ToldModem[]): Promise<void> => {
  const of = <Key extends keyof ToldModem>(key: Key) => modems.map((modem) => modem[key] ?? null);
  await sql`
    insert into agent_modems as m (agent_id, name, driver, imsi, phone_number, up, reason, signal, network)
    select ${agentId}, g.name, g.driver, coalesce(g.imsi, ''), coalesce(g.number, ''), coalesce(g.up, false),
      coalesce(g.reason, ''), g.signal, coalesce(g.network, '')
    from unnest(${of('name')}::text[], ${of('driver')}::text[], ${of('imsi')}::text[], ${of('phoneNumber')}::text[],
      ${of('up')}::boolean[], ${of('reason')}::text[], ${of('signal')}::smallint[], ${of('network')}::text[])
      as g (name, driver, imsi, number, up, reason, signal, network)
    on conflict (agent_id, name) do update set driver = excluded.driver,
      imsi = coalesce(nullif(excluded.imsi, ''), m.imsi),
      phone_number = coalesce(nullif(excluded.phone_number, ''), m.phone_number),
      up = excluded.up, reason = excluded.reason, signal = coalesce(excluded.signal, m.signal),
      network = coalesce(nullif(excluded.network, ''), m.network)`.execute(trx);
};

/** The phone of a modem; another modem that had its SIM before has none then. */
export const setPhone = async (
  trx: Db,
  { agentId, name, phoneId }: Pick<ModemRow, 'agentId' | 'name' | 'phoneId'>,
): Promise<void> => {
  await sql`update agent_modems set phone_id = null where phone_id = ${phoneId}`.execute(trx);
  await sql`update agent_modems set phone_id = ${phoneId}, moved_phone_id = null, moved_at = null
    where agent_id = ${agentId} and name = ${name}`.execute(trx);
};

/** The modem has no phone until an operator says that this one's SIM is in it. Returns whether that is new. */
export const setMoved = async (
  trx: Db,
  { agentId, name, phoneId }: Pick<ModemRow, 'agentId' | 'name'> & { phoneId: PhoneId },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update agent_modems set phone_id = null, moved_phone_id = ${phoneId}, moved_at = now()
    where agent_id = ${agentId} and name = ${name} and moved_phone_id is distinct from ${phoneId}`.execute(
    trx,
  );
  return numAffectedRows === 1n;
};

/** Locked, so that of two operators one confirms it. */
export const lockModem = async (
  trx: Db,
  { agentId, name }: Pick<ModemRow, 'agentId' | 'name'>,
): Promise<ModemRow | undefined> => {
  const { rows } = await sql<ModemRow>`
    select ${columns} from agent_modems where agent_id = ${agentId} and name = ${name} for update`.execute(
    trx,
  );
  return rows[0];
};

/** The phones whose SIM has moved to another agent by that agent's word, the first to move first. */
export const listMovedPhones = async (db: Db, limit: number): Promise<{ phoneId: PhoneId; at: Date }[]> => {
  const { rows } = await sql<{ phoneId: PhoneId; at: Date }>`
    select m.moved_phone_id as "phoneId", m.moved_at as at from agent_modems m join agents a on a.id = m.agent_id
    where m.moved_phone_id is not null and a.removed_at is null order by m.moved_at limit ${limit}`.execute(
    db,
  );
  return rows;
};

/** Modems that the agent no longer has; their phones are down. */
export const dropModems = async (trx: Db, agentId: AgentId, kept: string[]): Promise<void> => {
  await sql`update agent_modems set up = false, reason = 'The agent does not have it any more.',
      moved_phone_id = null, moved_at = null
    where agent_id = ${agentId} and name <> all(${kept}::text[])`.execute(trx);
};

export interface ModemState {
  phoneId: PhoneId;
  up: boolean;
  reason: string;
}

const AWAY = 'Its agent is not connected.';

/** Whether the modems of these phones can send now; nothing of phones that are in none. */
export const readStates = async (db: Db, phoneIds: PhoneId[]): Promise<ModemState[]> => {
  const { rows } = await sql<ModemState>`
    select m.phone_id as "phoneId", ${IS_CONNECTED} and m.up as up,
      case when not ${IS_CONNECTED} then ${AWAY}::text when not m.up then m.reason else '' end as reason
    from agent_modems m join agents a on a.id = m.agent_id where m.phone_id = any(${phoneIds}::uuid[])`.execute(
    db,
  );
  return rows;
};
