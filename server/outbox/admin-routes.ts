import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { listUnassigned } from './unassigned-store.ts';

export const adminInboundRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /admin/unassigned': async ({ query: { before, limit } }) => {
    const rows = await listUnassigned(db, { before, limit: limit + 1 });
    return {
      messages: rows.slice(0, limit).map(({ id, lane, channel, from, to, text, receivedAt }) => ({
        _id: id,
        lane,
        channel,
        from,
        to,
        message: text,
        receivedAt: receivedAt.toISOString(),
      })),
      more: rows.length > limit,
    };
  },
});
