import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import { type CallerRoutes, requireOwnAccount } from '../route/index.ts';
import { findRefund } from '../wallet/index.ts';
import { isOwn, readConversation } from './conversation-store.ts';
import { partyOf } from './read-search.ts';
import { stepsOf } from './timeline.ts';
import { findHistory, findLanes, type MessageHistory } from './timeline-store.ts';
import { viewMessages } from './view-message.ts';
import { waitingOf } from './waiting.ts';

export interface DetailDeps {
  db: Db;
  /** The webhook events of a message, oldest first. */
  eventsOf: (of: { accountId: AccountId; messageId: MessageId }) => Promise<WebhookEvent[]>;
}

const laneIdsOf = ({ laneId, route, tries }: MessageHistory): number[] => [
  ...(laneId === null ? [] : [laneId]),
  ...(route ?? []).flatMap(({ from, to }) => [from, to]),
  ...(tries ?? []).map(({ lane }) => lane),
];

/** Customers see their own, admins everyone's. */
export const detailRoutes = ({ db, eventsOf }: DetailDeps): CallerRoutes => ({
  'GET /messages/:messageId/timeline': async ({ caller, params: { messageId }, language }) => {
    const { admin } = caller;
    const history = await findHistory(db, { messageId, accountId: admin ? undefined : caller.accountId });
    if (!history) throw new DomainError('E_NOT_FOUND');
    const { accountId } = history;
    const [lanes, refund, events] = await Promise.all([
      findLanes(db, laneIdsOf(history)),
      findRefund(db, { accountId, item: `message:${messageId}` }),
      eventsOf({ accountId, messageId }),
    ]);
    const [message] = await viewMessages(db, [history], { admin, language });
    if (!message) throw new DomainError('E_NOT_FOUND');
    const byId = new Map(lanes.map((lane) => [lane.id, lane]));
    return {
      message,
      steps: stepsOf({ history, lanes: byId, refund, language, admin }),
      waiting: waitingOf(history, history.laneId === null ? undefined : byId.get(history.laneId), new Date()),
      events,
    };
  },
  'GET /account/:accountId/conversation': async ({ caller, params: { accountId }, query, language }) => {
    if (!caller.admin) requireOwnAccount(caller, accountId);
    const { phone, channel, before, limit } = query;
    const party = partyOf({ phone })?.text;
    if (party === undefined) throw new DomainError('E_INVALID_REQUEST', { reason: 'phone' });
    if (before && !(await isOwn(db, { accountId, id: before }))) throw new DomainError('E_NOT_FOUND');
    const found = await readConversation(db, { accountId, channel, party, before, limit: limit + 1 });
    return {
      messages: await viewMessages(db, found.slice(0, limit), { admin: caller.admin, language }),
      more: found.length > limit,
    };
  },
});
