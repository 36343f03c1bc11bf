import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';

/** What a phone sent on a day. */
export interface PhoneDay {
  phoneId: string;
  /** YYYY-MM-DD, in the installation's time zone. */
  day: string;
  sent: number;
  /** Without those that failed. */
  net: number;
  costMicros: bigint;
}

/** Stores days anew, and moves the sums by the difference. */
export const storeDays = async (trx: Db, days: PhoneDay[]): Promise<void> => {
  if (days.length === 0) return;
  const of = <Key extends keyof PhoneDay>(key: Key) => days.map((one) => one[key]);
  await sql`
    with given as (
      select * from unnest(${of('phoneId')}::uuid[], ${of('day')}::date[], ${of('sent')}::int[], ${of('net')}::int[],
        ${of('costMicros')}::bigint[]) as g (phone_id, day, sent, net, cost_micros)
    ), changed as materialized (
      select g.*, g.sent - coalesce(d.sent, 0) as more, g.cost_micros - coalesce(d.cost_micros, 0) as dearer
      from given g left join phone_days d on d.phone_id = g.phone_id and d.day = g.day
      where (g.sent, g.net, g.cost_micros) is distinct from (d.sent, d.net, d.cost_micros)
    ), put as (
      insert into phone_days (phone_id, day, sent, net, cost_micros)
      select phone_id, day, sent, net, cost_micros from changed
      on conflict (day, phone_id) do update set sent = excluded.sent, net = excluded.net,
        cost_micros = excluded.cost_micros
    )
    update phones p set sent = p.sent + c.more, cost_micros = p.cost_micros + c.dearer
    from (select phone_id, sum(more) as more, sum(dearer)::bigint as dearer from changed group by 1) c
    where p.id = c.phone_id`.execute(trx);
};

/** What each phone sent on a day, by the phone's id. */
export const readDay = async (db: Db, day: string): Promise<Map<string, number>> => {
  const { rows } = await sql<{ phoneId: string; sent: number }>`
    select phone_id as "phoneId", sent from phone_days where day = ${day}::date`.execute(db);
  return new Map(rows.map(({ phoneId, sent }) => [phoneId, sent]));
};

/** One at a time: two would count a difference twice. */
export const lockCounting = async (trx: Db): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('phones.count')) as taken`.execute(trx);
  return rows[0]?.taken ?? false;
};
