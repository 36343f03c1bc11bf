import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { listLanes } from './store.ts';

export const adminMessageRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /lanes': async () => ({ lanes: await listLanes(db) }),
});
