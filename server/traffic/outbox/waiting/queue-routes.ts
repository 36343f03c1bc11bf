import type { QUEUE_STATES } from '../../../../contract/traffic/lane-queue.ts';
import { readEmails } from '../../../customer/accounts/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { CallerRoutes } from '../../../ground/route/index.ts';
import { sayReason } from '../../../ground/translations/index.ts';
import type { NamedDeps } from '../doubt/doubt-routes.ts';
import { HELD } from './chunk-store.ts';
import { findQueued, findQueueLane, listAround, type QueuedMessage } from './queue-store.ts';

/** Messages on either side. */
const SHOWN = 20;

const stateOf = ({ status, unknown, chunkId, laneId }: QueuedMessage): (typeof QUEUE_STATES)[number] => {
  if (status !== 'PENDING') return 'ENDED';
  if (unknown) return 'UNKNOWN';
  if (chunkId === null) return 'CLAIMED';
  return laneId === null ? 'SCHEDULED' : 'WAITING';
};

export const adminQueueRoutes = ({ db, readNames }: NamedDeps): CallerRoutes => ({
  'GET /job/:jobId/queue': async ({ params: { jobId }, language }) => {
    const queued = await findQueued(db, jobId);
    if (!queued) throw new DomainError('E_NOT_FOUND');
    const { laneId, priority, due, chunkId } = queued;
    // What is held has no place: it is not its turn before its account is restored.
    const waits = laneId !== null && priority !== null && due !== null && due !== HELD && chunkId !== null;
    const [lane, around] = await Promise.all([
      laneId === null ? undefined : findQueueLane(db, laneId),
      waits ? listAround(db, { laneId, priority, due, chunkId }) : [],
    ]);
    const at = around.findIndex(({ id }) => id === jobId);
    const shown = around.slice(Math.max(0, at - SHOWN), at + SHOWN + 1);
    const emails = await readEmails(
      db,
      shown.map(({ accountId }) => accountId),
    );
    const nameOf = await readNames(db, shown);
    return {
      state: stateOf(queued),
      place: around[at]?.place ?? null,
      lane: lane ? { ...lane, reason: sayReason(language, lane.reason) } : null,
      messages: shown.map(({ id, accountId, recipient, due: dueAt, ...message }) => ({
        ...message,
        _id: id,
        email: emails.get(accountId) ?? '',
        phone: recipient,
        contactName: nameOf({ accountId, recipient }),
        due: dueAt.toISOString(),
      })),
    };
  },
});
