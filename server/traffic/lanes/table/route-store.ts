import { sql } from 'kysely';
import type { RoutePolicy } from '../../../../contract/traffic/lanes.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** What a route without a row does. */
const USUAL = 'cheapest';

/** Of the lane of a statement: how its route shares messages. */
export const ROUTE_POLICY = sql<RoutePolicy>`coalesce(
  (select policy from lane_routes where lane_routes.name = lanes.route), ${sql.lit(USUAL)})`;

/** Every route that has lanes, or a policy of its own, by name. */
export const listRoutes = async (
  db: Db,
): Promise<{ name: string; policy: RoutePolicy; lanes: string[] }[]> => {
  const { rows } = await sql<{ name: string; policy: RoutePolicy; lanes: string[] }>`
    select name, coalesce(r.policy, ${USUAL}) as policy, coalesce(l.lanes, '{}') as lanes
    from lane_routes r full join (
      select route as name, array_agg(name order by preference, name) as lanes from lanes
      where route <> '' and mode <> 'removed' group by route
    ) l using (name) order by name`.execute(db);
  return rows;
};

/** Returns the one before. */
export const setPolicy = async (
  db: Db,
  { name, policy }: { name: string; policy: RoutePolicy },
): Promise<RoutePolicy> => {
  const { rows } = await sql<{ before: RoutePolicy }>`
    with known as (select policy from lane_routes where name = ${name})
    insert into lane_routes (name, policy) values (${name}, ${policy})
    on conflict (name) do update set policy = excluded.policy
    returning coalesce((select policy from known), ${USUAL}) as before`.execute(db);
  return rows[0]?.before ?? USUAL;
};
