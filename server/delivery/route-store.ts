import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';

/**
 * Writes the lanes' routes down. A lane that nobody serves just now is given time to come up: for how long it was
 * down before tells nothing. One that left the settings counts as down from now on.
 */
export const syncRoutes = async (
  trx: Db,
  lanes: { name: string; route?: string | undefined }[],
): Promise<void> => {
  await sql`
    update lanes l set route = given.route,
      down_since = case when l.leased_until > now() then l.down_since end,
      rejecting_since = case when l.leased_until > now() then l.rejecting_since end
    from unnest(${lanes.map(({ name }) => name)}::text[], ${lanes.map(({ route }) => route ?? '')}::text[])
      as given (name, route)
    where l.name = given.name`.execute(trx);
  await sql`update lanes set down_since = coalesce(down_since, now()), rejecting_since = null
    where not active and down_since is null`.execute(trx);
};

/** Whether it refuses all that it is given, for now. */
export const storeRejecting = async (
  db: Db,
  { laneId, holder, rejecting }: { laneId: number; holder: string; rejecting: boolean },
): Promise<void> => {
  await sql`update lanes
    set rejecting_since = case when ${rejecting}::boolean then coalesce(rejecting_since, now()) end
    where id = ${laneId} and leased_by = ${holder}`.execute(db);
};
