import { MESSAGE_STATUSES } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import { requireOwnAccount } from '../own-account.ts';
import type { CallerRoutes, SenderRoutes } from '../route.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { quote } from './quote.ts';
import { readSearch } from './read-search.ts';
import { type SearchDeps, searchMessages } from './search.ts';
import type { Send } from './send.ts';
import { countByStatus, findBatch, findMessage } from './store.ts';
import { openTurns } from './turns.ts';
import { viewMessage } from './view-message.ts';
import { reasonOf, viewOutcome } from './view-outcome.ts';

export interface MessageRouteDeps extends MessagesDeps, ListDeps {
  send: Send;
}

export interface ListDeps extends SearchDeps {
  /** How many to the database this process has in all. */
  connections?: number;
}
/** However many search, only this part of the connections is theirs: accepting and delivering need the others. */
const SEARCHES_SHARE = 0.2;
/** With the search itself it is less than what a page waits for. */
const MOST_WAIT_MS = 10_000;

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

export const messageRoutes = ({ db, limitMs, connections = 1 }: ListDeps): CallerRoutes => {
  const atOnce = Math.max(1, Math.floor(connections * SEARCHES_SHARE));
  const inTurn = openTurns(atOnce, { mostWaitMs: MOST_WAIT_MS });
  return {
    'GET /account/:accountId/messages': async ({ caller, params, query, language, hungUp }) => {
      requireOwnAccount(caller, params.accountId);
      const { search, place } = await readSearch(db, caller, query);
      const { messages, total } = await inTurn(() => searchMessages({ db, limitMs }, search, place), hungUp);
      return {
        messages: messages.map((found) => ({
          ...viewMessage(found, caller),
          reason: reasonOf(found, language),
        })),
        total,
      };
    },
  };
};
