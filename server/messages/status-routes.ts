import { MESSAGE_STATUSES } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { SenderRoutes } from '../route/index.ts';
import { countByStatus, findBatch, findMessage } from './message-store.ts';
import { viewOutcome } from './view-outcome.ts';

/** What became of a message or a batch, by an account's secret, its test secret or its session. */
export const statusRoutes = ({ db }: { db: Db }): SenderRoutes => ({
  'GET /messages/:messageId': async ({ sender, params, language }) => {
    const message = await findMessage(db, { accountId: sender.accountId, ...params });
    if (!message) throw new DomainError('E_NOT_FOUND');
    return viewOutcome(message, language);
  },
  'GET /batches/:batchId': async ({ sender, params }) => {
    const batch = await findBatch(db, { accountId: sender.accountId, batchId: params.batchId });
    if (!batch) throw new DomainError('E_NOT_FOUND');
    const counted = new Map((await countByStatus(db, batch.id)).map(({ status, count }) => [status, count]));
    return {
      _id: batch.id,
      channel: batch.channel,
      kind: batch.kind,
      test: batch.test,
      createdAt: batch.createdAt.toISOString(),
      sendAt: batch.scheduledAt?.toISOString() ?? null,
      cancelledAt: batch.cancelledAt?.toISOString() ?? null,
      total: batch.accepted,
      price: numberFromMicros(batch.totalMicros),
      counts: Object.fromEntries(
        MESSAGE_STATUSES.map((status) => [status, counted.get(status) ?? 0]),
      ) as Record<(typeof MESSAGE_STATUSES)[number], number>,
    };
  },
});
