import { sql } from 'kysely';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

/** A lane as the settings describe it. */
export interface LaneSettings {
  name: string;
  channel: Channel;
  provider: string;
  simulated: boolean;
  /** Lower is preferred. */
  preference: number;
  /** Free text is allowed for this many hours after a customer last wrote; always if not given. */
  sessionHours?: number | undefined;
  /** The WhatsApp Business Account that it belongs to. */
  waba?: string | undefined;
  /** Lanes of one route take over from each other; a lane without one keeps its messages. */
  route?: string | undefined;
}

/**
 * Stores the lanes' routes. A lane that no worker serves just now gets time to come up: how long it was down before
 * says nothing. A lane that left the settings counts as down from now on.
 */
const syncRoutes = async (trx: Db, lanes: { name: string; route?: string | undefined }[]): Promise<void> => {
  await sql`
    update lanes l set route = given.route,
      down_since = case when l.leased_until > now() then l.down_since end,
      rejecting_since = case when l.leased_until > now() then l.rejecting_since end
    from unnest(${lanes.map(({ name }) => name)}::text[], ${lanes.map(({ route }) => route ?? '')}::text[])
      as given (name, route)
    where l.name = given.name`.execute(trx);
  await sql`update lanes set down_since = coalesce(down_since, now()), rejecting_since = null
    where mode = 'removed' and down_since is null`.execute(trx);
};

/** Makes the table match the settings. A lane that they no longer name stays, inactive. */
export const syncLanes = async (db: Db, lanes: LaneSettings[]): Promise<Map<string, number>> => {
  const sorted = lanes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = sorted.map(({ name }) => name);
  return db.transaction().execute(async (trx) => {
    await sql`insert into lanes (name, channel, provider, simulated, preference, session_hours, waba)
      select * from unnest(${names}::text[], ${sorted.map(({ channel }) => channel)}::text[],
        ${sorted.map(({ provider }) => provider)}::text[], ${sorted.map(({ simulated }) => simulated)}::boolean[],
        ${sorted.map(({ preference }) => preference)}::int[],
        ${sorted.map(({ sessionHours }) => sessionHours ?? null)}::int[], ${sorted.map(({ waba }) => waba ?? '')}::text[])
      on conflict (name) do update set channel = excluded.channel, provider = excluded.provider,
        simulated = excluded.simulated, preference = excluded.preference, session_hours = excluded.session_hours,
        waba = excluded.waba, mode = case lanes.mode when 'removed' then 'on' else lanes.mode end`.execute(
      trx,
    );
    await sql`update lanes set mode = 'removed' where mode <> 'removed' and name <> all(${names}::text[])`.execute(
      trx,
    );
    await syncRoutes(trx, sorted);
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from lanes where name = any(${names}::text[])`.execute(trx);
    return new Map(rows.map(({ id, name }) => [name, id]));
  });
};
