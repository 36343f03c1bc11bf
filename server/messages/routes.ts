import { MESSAGE_STATUSES } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import type { SenderRoutes } from '../route.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { quote } from './quote.ts';
import type { Send } from './send.ts';
import { countByStatus, findBatch } from './store.ts';

export interface MessageRouteDeps extends MessagesDeps {
  send: Send;
}

/** By an account's secret, its test secret or its session. */
export const sendingRoutes = (deps: MessageRouteDeps): SenderRoutes => ({
  'POST /:channel/send': ({ sender, params, body, headers }) =>
    deps.send({
      sender,
      channel: params.channel,
      wanted: body,
      idempotencyKey: headers['idempotency-key'],
    }),
  'POST /:channel/quote': ({ sender, params, body }) =>
    quote(deps, { sender, channel: params.channel, wanted: body }),
  'GET /batches/:batchId': async ({ sender, params }) => {
    const batch = await findBatch(deps.db, { accountId: sender.accountId, batchId: params.batchId });
    if (!batch) throw new DomainError('E_NOT_FOUND');
    const counted = new Map(
      (await countByStatus(deps.db, batch.id)).map(({ status, count }) => [status, count]),
    );
    return {
      _id: batch.id,
      channel: batch.channel,
      kind: batch.kind,
      test: batch.test,
      createdAt: batch.createdAt.toISOString(),
      total: batch.accepted,
      price: numberFromMicros(batch.totalMicros),
      counts: Object.fromEntries(
        MESSAGE_STATUSES.map((status) => [status, counted.get(status) ?? 0]),
      ) as Record<(typeof MESSAGE_STATUSES)[number], number>,
    };
  },
});
