import { sql } from 'kysely';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { ThrottleLimits } from './throttle.ts';
import { IS_ALIVE, type Worker } from './worker-store.ts';

/** A lane as a worker sees it that could serve it. */
export interface ServableLane {
  id: number;
  name: string;
  channel: Channel;
  provider: string;
  simulated: boolean;
  source: 'settings' | 'admin' | 'device' | 'phone';
  /** Of a way out of a phone. */
  phoneId: string | null;
  /** Counted up by each change that the carrier has to be opened again for. */
  revision: number;
  /** Who holds it, if that worker is alive. */
  holderId: string | null;
  /** How many workers could serve it. */
  workers: number;
  throttle: ThrottleLimits;
}

/** The lanes that are to be served and that this worker can reach. */
export const readServableLanes = async (db: Db, { id, place }: Worker): Promise<ServableLane[]> => {
  const { rows } = await sql<ServableLane>`
    with alive as materialized (select w.id, w.place from workers w where w.serving and ${IS_ALIVE}),
    named as materialized (
      select lane_id, count(*)::int as workers, bool_or(worker_id = ${id}) as mine
      from lane_settings join alive on alive.id = worker_id group by lane_id
    )
    select l.id, l.name, l.channel, l.provider, l.simulated, l.source, l.phone_id as "phoneId", l.revision, held.id as "holderId",
      coalesce(named.workers, (select count(*)::int from alive where l.place in ('', alive.place))) as workers,
      json_build_object('tenMinutes', l.throttle_ten_minutes, 'oneHour', l.throttle_one_hour,
        'eightHours', l.throttle_eight_hours, 'oneDay', l.throttle_one_day) as throttle
    from lanes l left join named on named.lane_id = l.id
    left join alive held on held.id = l.worker_id and l.leased_by is not null
    where l.mode in ('on', 'draining')
      and case l.source when 'settings' then named.mine else l.place in ('', ${place}) end
    order by l.id`.execute(db);
  return rows;
};

/** The provider and sealed options of a lane that settings don't describe. */
export const findSealedOptions = async (
  db: Db,
  name: string,
): Promise<{ id: number; provider: string; sealed: Buffer } | undefined> => {
  const { rows } = await sql<{ id: number; provider: string; sealed: Buffer }>`
    select id, provider, sealed_options as sealed from lanes
    where name = ${name} and sealed_options is not null`.execute(db);
  return rows[0];
};

/** The sealed options of lanes that settings don't describe. */
export const readSealedOptions = async (db: Db, laneIds: number[]): Promise<Map<number, Buffer>> => {
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    select id, sealed_options as sealed from lanes
    where id = any(${laneIds}::int[]) and sealed_options is not null`.execute(db);
  return new Map(rows.map(({ id, sealed }) => [id, sealed]));
};
