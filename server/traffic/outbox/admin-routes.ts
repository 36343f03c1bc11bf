import { INVALID_CONTACT } from '../../../contract/traffic/verdicts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { type ResolveDeps, resolveMessage } from './doubt/resolve.ts';
import { listUnassigned } from './incoming/unassigned-store.ts';

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

export const adminResolveRoutes = (deps: ResolveDeps): CallerRoutes => ({
  'POST /message/:jobId/success': async ({ caller, params: { jobId }, changed }) => {
    const resolution = { to: 'SUCCESS' as const, by: caller.accountId, reason: '', code: '' };
    const resolved = await resolveMessage(deps, { id: jobId, ...resolution });
    changed({ before: { status: resolved.was }, after: { status: 'SUCCESS', changed: resolved.changed } });
    return { _id: jobId, status: 'SUCCESS', changed: resolved.changed };
  },
  'POST /message/:jobId/failed': async ({
    caller,
    params: { jobId },
    body: { reason, code, errorCode = code ?? INVALID_CONTACT.errorCode },
    changed,
  }) => {
    const resolution = { to: 'FAILED' as const, by: caller.accountId, reason, code: errorCode };
    const resolved = await resolveMessage(deps, { id: jobId, ...resolution });
    changed({ before: { status: resolved.was }, after: { status: 'FAILED', changed: resolved.changed } });
    return { _id: jobId, status: 'FAILED', changed: resolved.changed };
  },
});
