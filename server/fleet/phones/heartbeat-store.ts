import { sql } from 'kysely';
import { HEARTBEAT_FRESH_SECONDS } from '../../../contract/fleet/phone-rules.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { PhoneReport } from './phone-driver.ts';

/** Stores signs of life, with what came along; what is not told stays. */
export const storeHeartbeats = async (trx: Db, reports: PhoneReport[]): Promise<void> => {
  const of = <Key extends keyof PhoneReport>(key: Key) => reports.map((report) => report[key] ?? null);
  await sql`
    update phones p set last_heartbeat_at = greatest(p.last_heartbeat_at, coalesce(g.at, clock_timestamp())),
      imsi = coalesce(g.imsi, p.imsi), started_at = coalesce(g.started_at, p.started_at, now()),
      valid_until = coalesce(g.valid_until, p.valid_until)
    from unnest(${of('phoneId')}::uuid[], ${of('at')}::timestamptz[], ${of('imsi')}::text[], ${of('startedAt')}::timestamptz[],
      ${of('validUntil')}::date[]) as g (id, at, imsi, started_at, valid_until)
    where p.id = g.id`.execute(trx);
};

/** Which phones were heard of lately, and which were not. */
export const readHeard = async (db: Db): Promise<{ id: string; heard: boolean }[]> => {
  const { rows } = await sql<{ id: string; heard: boolean }>`
    select id, coalesce(last_heartbeat_at > now() - ${HEARTBEAT_FRESH_SECONDS} * interval '1 second', false) as heard
    from phones where whatsapp_active or sms_active or sms_web_active`.execute(db);
  return rows;
};
