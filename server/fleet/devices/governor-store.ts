import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';
import type { Budget } from './governor.ts';

interface DeviceDay {
  /** YYYY-MM-DD where the device is. */
  day: string;
  sent: number;
  newContacts: number;
}

/** The last day of each of these devices that has any. */
export const readLastDays = async (db: Db, ids: string[]): Promise<Map<string, DeviceDay>> => {
  const { rows } = await sql<DeviceDay & { id: string }>`
    select distinct on (device_id) device_id as id, day::text, sent, new_contacts as "newContacts" from device_days
    where device_id = any(${ids}::uuid[]) order by device_id, day desc`.execute(db);
  return new Map(rows.map(({ id, ...day }) => [id, day]));
};

/** Takes one message out of the day's budget, whichever worker asks; undefined if nothing of it is left. */
export const takeOfBudget = async (
  db: Db,
  { id, day, isNew, budget }: { id: string; day: string; isNew: boolean; budget: Budget },
): Promise<Omit<DeviceDay, 'day'> | undefined> => {
  const begun = isNew ? 1 : 0;
  const { rows } = await sql<Omit<DeviceDay, 'day'>>`
    insert into device_days as d (device_id, day, sent, new_contacts)
    select ${id}::uuid, ${day}::date, 1, ${begun}::int where ${budget.mostSent} > 0 and ${budget.mostNewContacts} >= ${begun}
    on conflict (device_id, day) do update set sent = d.sent + 1, new_contacts = d.new_contacts + ${begun}
      where d.sent < ${budget.mostSent} and d.new_contacts + ${begun} <= ${budget.mostNewContacts}
    returning sent, new_contacts as "newContacts"`.execute(db);
  return rows[0];
};

/** Gives a message back that certainly reached nobody. */
export const giveBackToBudget = async (
  db: Db,
  { id, day, isNew }: { id: string; day: string; isNew: boolean },
): Promise<void> => {
  await sql`update device_days set sent = sent - 1, new_contacts = new_contacts - ${isNew ? 1 : 0}::int
    where device_id = ${id}::uuid and day = ${day}::date`.execute(db);
};

/** Only the last day matters. */
export const forgetOldDays = async (db: Db): Promise<void> => {
  await sql`delete from device_days where day < current_date - 3`.execute(db);
};
