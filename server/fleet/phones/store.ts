import { sql } from 'kysely';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { PhoneField } from '../../../contract/fleet/phone-rules.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { type Db, storableJson } from '../../ground/postgres/index.ts';
import type { PhoneRow } from './phone.ts';

/** The day of SIMs: that of the installation's time zone. */
const TODAY = sql`(now() at time zone ${sql.lit(DEFAULT_TIME_ZONE)})::date`;

const columns = sql`p.id, p.name, p.phone_number as "phoneNumber", p.agent_id as "agentId", p.imsi, p.remark, p.created_at as "createdAt",
  p.started_at as "startedAt", p.last_heartbeat_at as "lastHeartbeatAt",
  extract(epoch from clock_timestamp() - p.last_heartbeat_at)::float8 as "secondsSinceHeartbeat",
  (p.valid_until - ${TODAY})::int as "validityDays", p.latest_top_up_at as "latestTopUpAt", p.sim_host as "simHost",
  p.whatsapp_host as "whatsappHost", p.whatsapp_host_port as "whatsappHostPort",
  p.whatsapp_web_host as "whatsappWebHost", p.port, p.slot, p.setting, p.transfer_job_rate as "transferJobRate",
  p.carrier_aliases as "carrierAliases", p.whatsapp_active as "whatsappActive",
  p.whatsapp_suspended as "whatsappSuspended", p.sms_active as "smsActive", p.sms_suspended as "smsSuspended",
  p.sms_web_active as "smsWebActive", p.sms_web_suspended as "smsWebSuspended",
  p.throttle_ten_minutes as "tenMinutes", p.throttle_one_hour as "oneHour", p.throttle_eight_hours as "eightHours",
  p.throttle_one_day as "oneDay",
  case when p.balance_micros is not null
    then greatest(p.balance_micros - (p.cost_micros - p.balance_cost_micros), 0) end as "estimatedMicros",
  p.sent::float8 as "sentTotal", coalesce(d.sent, 0) as "sentToday", coalesce(d.net, 0) as "netToday"`;

const MOST_LISTED = 10_000;

export const listPhones = async (db: Db): Promise<PhoneRow[]> => {
  const { rows } = await sql<PhoneRow>`
    select ${columns} from phones p left join phone_days d on d.phone_id = p.id and d.day = ${TODAY}
    order by p.name limit ${MOST_LISTED}`.execute(db);
  return rows;
};

export const findPhone = async (db: Db, phoneId: PhoneId): Promise<PhoneRow | undefined> => {
  const { rows } = await sql<PhoneRow>`
    select ${columns} from phones p left join phone_days d on d.phone_id = p.id and d.day = ${TODAY}
    where p.id = ${phoneId}`.execute(db);
  return rows[0];
};

/** Locked, to change it. */
export const lockPhone = async (trx: Db, phoneId: PhoneId): Promise<PhoneRow | undefined> => {
  const { rows } = await sql<PhoneRow>`
    select ${columns} from phones p left join phone_days d on d.phone_id = p.id and d.day = ${TODAY}
    where p.id = ${phoneId} for update of p`.execute(trx);
  return rows[0];
};

/** False if the name is taken. */
export const insertPhone = async (
  trx: Db,
  { id, name, phoneNumber }: Pick<PhoneRow, 'id' | 'name' | 'phoneNumber'>,
): Promise<boolean> => {
  const { rows } =
    await sql`insert into phones (id, name, phone_number) values (${id}, ${name}, ${phoneNumber})
    on conflict (name) do nothing returning id`.execute(trx);
  return rows.length > 0;
};

/** What a change calls a field of the page, where it has another name there. */
export const STORED_AS = {
  IMSI: 'imsi',
  countTenMinute: 'tenMinutes',
  countOneHour: 'oneHour',
  countEightHour: 'eightHours',
  countOneDay: 'oneDay',
} as const;
/** The days are kept as the day that they end, and the balance in a table of its own. */
type EditedField = Exclude<PhoneField, keyof typeof STORED_AS | 'validityDays' | 'estimatedBalance'>;
type StoredField = EditedField | (typeof STORED_AS)[keyof typeof STORED_AS] | 'agentId';

/** Columns by what a change calls them. */
const COLUMNS = {
  name: ['name', 'text'],
  phoneNumber: ['phone_number', 'text'],
  imsi: ['imsi', 'text'],
  agentId: ['agent_id', 'uuid'],
  remark: ['remark', 'text'],
  startedAt: ['started_at', 'timestamptz'],
  simHost: ['sim_host', 'text'],
  whatsappHost: ['whatsapp_host', 'text'],
  whatsappHostPort: ['whatsapp_host_port', 'text'],
  whatsappWebHost: ['whatsapp_web_host', 'text'],
  port: ['port', 'text'],
  slot: ['slot', 'text'],
  setting: ['setting', 'jsonb'],
  transferJobRate: ['transfer_job_rate', 'float8'],
  carrierAliases: ['carrier_aliases', 'text[]'],
  whatsappActive: ['whatsapp_active', 'boolean'],
  whatsappSuspended: ['whatsapp_suspended', 'boolean'],
  smsActive: ['sms_active', 'boolean'],
  smsSuspended: ['sms_suspended', 'boolean'],
  smsWebActive: ['sms_web_active', 'boolean'],
  smsWebSuspended: ['sms_web_suspended', 'boolean'],
  tenMinutes: ['throttle_ten_minutes', 'int'],
  oneHour: ['throttle_one_hour', 'int'],
  eightHours: ['throttle_eight_hours', 'int'],
  oneDay: ['throttle_one_day', 'int'],
} as const satisfies Record<StoredField, readonly [column: string, type: string]>;

export type PhoneChange = Partial<Pick<PhoneRow, keyof typeof COLUMNS | 'validityDays'>>;

export const updatePhone = async (trx: Db, phoneId: PhoneId, change: PhoneChange): Promise<void> => {
  const { validityDays, ...rest } = change;
  const sets = (Object.keys(rest) as (keyof typeof COLUMNS)[]).map((name) => {
    const [column, type] = COLUMNS[name];
    const value = name === 'setting' ? storableJson(rest[name]) : rest[name];
    return sql`${sql.ref(column)} = ${value}::${sql.raw(type)}`;
  });
  if (validityDays !== undefined) sets.push(sql`valid_until = ${TODAY} + ${validityDays}::int`);
  if (sets.length > 0) await sql`update phones set ${sql.join(sets)} where id = ${phoneId}`.execute(trx);
};

/** The phone that a SIM is: by its IMSI, otherwise by its number. */
export const findPhoneOfSim = async (
  trx: Db,
  { imsi, phoneNumber }: { imsi: string; phoneNumber: string },
): Promise<PhoneId | undefined> => {
  const { rows } = await sql<{ id: PhoneId }>`
    select id from phones
    where remark not like '%RELEASED%' and ((imsi <> '' and imsi = ${imsi})
      or (${phoneNumber} <> '' and imsi in ('', ${imsi})
        and regexp_replace(phone_number, '\\D', '', 'g') = regexp_replace(${phoneNumber}, '\\D', '', 'g')))
    order by (imsi = ${imsi}) desc, created_at limit 1`.execute(trx);
  return rows[0]?.id;
};

/** The agent that drives a phone, or drove it last; undefined if it is simulated. */
export const readPhoneAgent = async (db: Db, phoneId: PhoneId): Promise<AgentId | undefined> => {
  const { rows } = await sql<{ agentId: AgentId | null }>`
    select agent_id as "agentId" from phones where id = ${phoneId}`.execute(db);
  return rows[0]?.agentId ?? undefined;
};

/** Until the end of the transaction nobody else takes a number. It is locked before any phone, so that nobody meets. */
export const lockNumbers = async (trx: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('phone_number', 0))`.execute(trx);
};

/** The name of the phone besides this one that has the number, unless it was given back. */
export const findPhoneOfNumber = async (
  trx: Db,
  { phoneId, phoneNumber }: { phoneId: PhoneId; phoneNumber: string },
): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string }>`
    select name from phones where id <> ${phoneId} and remark not like '%RELEASED%'
      and regexp_replace(phone_number, '\\D', '', 'g') = regexp_replace(${phoneNumber}, '\\D', '', 'g')
    order by name limit 1`.execute(trx);
  return rows[0]?.name;
};

/** The phones that an agent drives, or drove last. */
export const listPhonesOfAgent = async (db: Db, agentId: string): Promise<PhoneId[]> => {
  const { rows } = await sql<{ id: PhoneId }>`select id from phones where agent_id = ${agentId}`.execute(db);
  return rows.map(({ id }) => id);
};

export const findPhoneOfName = async (db: Db, name: string): Promise<PhoneId | undefined> => {
  const { rows } = await sql<{ id: PhoneId }>`select id from phones where name = ${name}`.execute(db);
  return rows[0]?.id;
};

export interface PhoneHosts
  extends Pick<
    PhoneRow,
    'id' | 'simHost' | 'port' | 'whatsappHost' | 'whatsappHostPort' | 'whatsappWebHost'
  > {}

/** Where these phones are reached. */
export const readPhoneHosts = async (db: Db, phoneIds: string[]): Promise<Map<string, PhoneHosts>> => {
  if (phoneIds.length === 0) return new Map();
  const { rows } = await sql<PhoneHosts>`
    select id, sim_host as "simHost", port, whatsapp_host as "whatsappHost",
      whatsapp_host_port as "whatsappHostPort", whatsapp_web_host as "whatsappWebHost"
    from phones where id = any(${phoneIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
};

/** What phones are called, and whether SMS by their modem is switched on. */
export const readPhoneNames = async (
  db: Db,
  phoneIds: PhoneId[],
): Promise<Map<PhoneId, { name: string; sending: boolean }>> => {
  const { rows } = await sql<{ id: PhoneId; name: string; sending: boolean }>`
    select id, name, sms_active and not sms_suspended as sending from phones
    where id = any(${phoneIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...phone }) => [id, phone]));
};
