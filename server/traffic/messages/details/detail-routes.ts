import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { WebhookEvent } from '../../../../contract/traffic/webhooks.ts';
import { readEmails } from '../../../customer/accounts/index.ts';
import { listItemMoves } from '../../../customer/wallet/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { type CallerRoutes, requireOwnAccount } from '../../../ground/route/index.ts';
import { listResolutions } from '../../outbox/index.ts';
import { searchedParty } from '../search/read-search.ts';
import { type HeldDevice, waitingOf } from '../search/waiting.ts';
import { isOwn, readConversation } from './conversation-store.ts';
import { stepsOf } from './timeline.ts';
import { findHistory, findLanes, type MessageHistory } from './timeline-store.ts';
import { type ViewDeps, viewMessages } from './view-message.ts';

export interface DetailDeps extends ViewDeps {
  /** The webhook events of a message, oldest first. */
  eventsOf: (of: { accountId: AccountId; messageId: MessageId }) => Promise<WebhookEvent[]>;
  /** Why messages wait in the device of this lane; undefined if it is none. */
  holdOf: (laneId: number) => Promise<HeldDevice | undefined>;
}

const laneIdsOf = ({ laneId, route, tries }: MessageHistory): number[] => [
  ...(laneId === null ? [] : [laneId]),
  ...(route ?? []).flatMap(({ from, to }) => [from, to]),
  ...(tries ?? []).map(({ lane }) => lane),
];

/** Customers see their own, admins everyone's. */
export const detailRoutes = ({ db, readPhoneHosts, eventsOf, holdOf }: DetailDeps): CallerRoutes => ({
  'GET /messages/:messageId/timeline': async ({ caller, params: { messageId }, language }) => {
    const { admin } = caller;
    const history = await findHistory(db, { messageId, accountId: admin ? undefined : caller.accountId });
    if (!history) throw new DomainError('E_NOT_FOUND');
    const { accountId } = history;
    const { laneId } = history;
    const waits = history.status === 'PENDING' && laneId !== null;
    const [lanes, moves, resolutions, events, device] = await Promise.all([
      findLanes(db, laneIdsOf(history)),
      listItemMoves(db, { accountId, item: `message:${messageId}` }),
      listResolutions(db, messageId),
      eventsOf({ accountId, messageId }),
      waits ? holdOf(laneId) : undefined,
    ]);
    const admins = admin ? resolutions.map(({ by }) => by) : [];
    const emails = admins.length > 0 ? await readEmails(db, admins) : new Map<AccountId, string>();
    const [message] = await viewMessages({ db, readPhoneHosts }, [history], { admin, language });
    if (!message) throw new DomainError('E_NOT_FOUND');
    const byId = new Map(lanes.map((lane) => [lane.id, lane]));
    return {
      message,
      steps: stepsOf({ history, lanes: byId, moves, resolutions, emails, language, admin }),
      waiting: waitingOf(history, { lane: byId.get(laneId ?? 0), device }, new Date()),
      events,
    };
  },
  'GET /account/:accountId/conversation': async ({ caller, params: { accountId }, query, language }) => {
    if (!caller.admin) requireOwnAccount(caller, accountId);
    const { phone, channel, before, limit } = query;
    const asked = searchedParty({ phone });
    const party = asked?.shortCode ?? asked?.text;
    if (party === undefined) throw new DomainError('E_INVALID_REQUEST', { reason: 'phone' });
    if (before && !(await isOwn(db, { accountId, id: before }))) throw new DomainError('E_NOT_FOUND');
    const found = await readConversation(db, { accountId, channel, party, before, limit: limit + 1 });
    return {
      messages: await viewMessages({ db, readPhoneHosts }, found.slice(0, limit), {
        admin: caller.admin,
        language,
      }),
      more: found.length > limit,
    };
  },
});
