import { MESSAGE_STATUSES } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import { requireOwnAccount } from '../own-account.ts';
import type { CallerRoutes, SenderRoutes } from '../route.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { quote } from './quote.ts';
import { readSearch } from './read-search.ts';
import { searchMessages } from './search.ts';
import type { Send } from './send.ts';
import { countByStatus, findBatch, findMessage } from './store.ts';
import { viewMessage } from './view-message.ts';
import { reasonOf, viewOutcome } from './view-outcome.ts';

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
  'GET /messages/:messageId': async ({ sender, params, language }) => {
    const message = await findMessage(deps.db, { accountId: sender.accountId, ...params });
    if (!message) throw new DomainError('E_NOT_FOUND');
    return viewOutcome(message, language);
  },
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

export const messageRoutes = ({ db }: Pick<MessagesDeps, 'db'>): CallerRoutes => ({
  'GET /account/:accountId/messages': async ({ caller, params, query, language }) => {
    requireOwnAccount(caller, params.accountId);
    const { search, place } = await readSearch(db, caller, query);
    const { messages, total } = await searchMessages({ db }, search, place);
    return {
      messages: messages.map((found) => ({
        ...viewMessage(found, caller),
        reason: reasonOf(found, language),
      })),
      total,
    };
  },
});
