import { sql } from 'kysely';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { senderKey } from '../../../ground/recipients/index.ts';
import { announceLanes } from '../serving/wake-store.ts';
import { IS_ALIVE, renewWorker, sweepWorkers, type Worker } from '../serving/worker-store.ts';

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
  /** What messages that name no sender are from, if the settings say it. */
  sender?: string | undefined;
  /** Lanes of one route take over from each other; a lane without one keeps its messages. */
  route?: string | undefined;
}

const HAS_HOLDER = sql`exists (select from workers w where w.id = l.worker_id and ${IS_ALIVE})`;

/**
 * Stores what these settings say of each lane. A lane that no worker serves just now gets time to come up: how long it
 * was down before says nothing. What an admin wants of a lane stays, unless it was removed; its route and preference
 * until the settings say something else of these than before.
 */
const storeLanes = async (trx: Db, lanes: LaneSettings[]): Promise<Map<string, number>> => {
  const of = <Key extends keyof LaneSettings>(key: Key) => lanes.map((lane) => lane[key]);
  const { rows } = await sql<{ id: number; name: string }>`
    insert into lanes as l (name, channel, provider, simulated, preference, session_hours, waba, route, sender,
      settings_preference, settings_route)
    select *, preference, route from unnest(${of('name')}::text[], ${of('channel')}::text[], ${of('provider')}::text[],
      ${of('simulated')}::boolean[], ${of('preference')}::int[],
      ${lanes.map(({ sessionHours }) => sessionHours ?? null)}::int[],
      ${lanes.map(({ waba }) => waba ?? '')}::text[], ${lanes.map(({ route }) => route ?? '')}::text[],
      ${lanes.map(({ sender }) => senderKey(sender ?? ''))}::text[])
      as given (name, channel, provider, simulated, preference, session_hours, waba, route, sender)
    on conflict (name) do update set channel = excluded.channel, provider = excluded.provider,
      simulated = excluded.simulated, session_hours = excluded.session_hours,
      preference = case when l.settings_preference = excluded.settings_preference then l.preference
        else excluded.preference end,
      route = case when l.settings_route = excluded.settings_route then l.route else excluded.route end,
      settings_preference = excluded.settings_preference, settings_route = excluded.settings_route,
      waba = excluded.waba, sender = excluded.sender,
      mode = case l.mode when 'removed' then 'on' else l.mode end,
      down_since = case when ${HAS_HOLDER} then l.down_since end,
      rejecting_since = case when ${HAS_HOLDER} then l.rejecting_since end,
      released_at = case when l.leased_by is null then now() end
    where l.source = 'settings'
    returning id, name`.execute(trx);
  return new Map(rows.map(({ id, name }) => [name, id]));
};

/** Stores the lanes of a worker's settings, and the worker. Lanes of other workers' settings are left alone. */
export const syncLanes = async (
  db: Db,
  { lanes, worker, leaseMs }: { lanes: LaneSettings[]; worker: Worker; leaseMs: number },
): Promise<Map<string, number>> => {
  const sorted = lanes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return db.transaction().execute(async (trx) => {
    const ids = await storeLanes(trx, sorted);
    // It may have been stored with other lanes.
    await sql`delete from workers where id = ${worker.id}`.execute(trx);
    await renewWorker(trx, { ...worker, leaseMs, serving: false, laneIds: [...ids.values()] });
    await sweepWorkers(trx);
    await announceLanes(trx);
    return ids;
  });
};
