import type { ErrorCode } from '../../../../contract/ground/errors.ts';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import { recapture } from '../../../customer/wallet/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { type Db, indexOnlyTransaction, retryOnConflict } from '../../../ground/postgres/index.ts';
import type { Queue } from '../../../ground/queue/index.ts';
import { lockWaiting, type WaitingMessage } from '../moving/transfer-store.ts';
import type { PublishEvents } from '../outbox-event.ts';
import { itemOf, refundFailed } from '../results/refund-failed.ts';
import {
  areAnyPending,
  beginLocking,
  leaveLanes,
  lockResolvable,
  type Resolution,
  type Resolvable,
  writeResolved,
} from './resolve-store.ts';

export interface ResolveDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  publish: PublishEvents;
}

/** What became of one message of a call. */
export type ResolveOutcome =
  | { id: MessageId; outcome: 'changed' | 'unchanged'; was: MessageStatus }
  | { id: MessageId; outcome: 'refused'; code: ErrorCode };

/** No admin made this decision: it only records what the carrier said. */
type Decision = Resolution & { saidByCarrier?: true };

/** Why it can't be resolved, if so. */
const refusalOf = (
  message: Resolvable | undefined,
  waits: boolean,
  { to, by, saidByCarrier }: Decision,
): ErrorCode | undefined => {
  if (!message) return 'E_NOT_FOUND';
  // Otherwise admins could refund their own messages by declaring them failed.
  if (to === 'FAILED' && message.accountId === by && !saidByCarrier) return 'E_OWN_MESSAGE';
  // The customer withdrew it, and it certainly was not sent.
  if (message.status === 'CANCELLED') return 'E_MESSAGE_CANCELLED';
  // A worker may be handing it over at this very moment: what comes of it is known soon.
  if (message.status === 'PENDING' && !message.unknown && !waits) return 'E_BEING_SENT';
  return undefined;
};

/**
 * Those that wait, in a lane or for their time. A chunk that was replaced while its lock was waited for, as by a release,
 * is not found; the second look finds what it was replaced by. It begins without the locks of the first: everyone who
 * locks several chunks does it in their order, and what is new may come before what is held. Before the messages are
 * locked: others lock chunks first.
 */
const lockAllWaiting = async (trx: Db, ids: MessageId[]): Promise<WaitingMessage[]> => {
  const release = await beginLocking(trx);
  const first = await lockWaiting(trx, ids, { scheduled: true });
  const found = new Set(first.map(({ id }) => id));
  const others = ids.filter((id) => !found.has(id));
  if (others.length === 0 || !(await areAnyPending(trx, others))) return first;
  await release();
  return lockWaiting(trx, ids, { scheduled: true });
};

/** Charges those again that were refunded; returns the ones whose balance does not cover it. */
const chargeAgain = async (deps: ResolveDeps, messages: Resolvable[]): Promise<MessageId[]> => {
  const paid = messages.filter(({ priceMicros }) => priceMicros > 0n);
  const lacking = await recapture(
    deps,
    paid.map((message) => ({
      accountId: message.accountId,
      item: itemOf(message),
      details: { channel: message.channel, messages: 1 },
      simulated: message.test,
    })),
  );
  return paid.filter((message) => lacking.has(itemOf(message))).map(({ id }) => id);
};

/**
 * An admin decides the outcome of messages, within the given transaction; the answers are in the order of the ids. What
 * waits leaves its lane; what failed before is charged again when it becomes a success; a failure is refunded once.
 */
export const resolveWithin = async (
  deps: ResolveDeps,
  { ids, ...resolution }: Decision & { ids: MessageId[] },
): Promise<ResolveOutcome[]> => {
  const { db: trx, publish } = deps;
  const { to } = resolution;
  const waiting = await lockAllWaiting(trx, ids);
  const waits = new Set(waiting.map(({ id }) => id));
  const found = new Map((await lockResolvable(trx, ids)).map((message) => [message.id, message]));
  const refused = new Map<MessageId, ErrorCode>();
  for (const id of ids) {
    const code = refusalOf(found.get(id), waits.has(id), resolution);
    if (code) refused.set(id, code);
  }
  const open = [...found.values()].filter(({ id }) => !refused.has(id));
  if (to === 'SUCCESS')
    for (const id of await chargeAgain(
      deps,
      open.filter(({ status }) => status === 'FAILED'),
    ))
      refused.set(id, 'E_BALANCE_TOO_LOW');
  const changed = open.filter(({ id, status }) => status !== to && !refused.has(id));
  const isChanged = new Set(changed.map(({ id }) => id));
  await leaveLanes(
    trx,
    waiting.filter(({ id }) => isChanged.has(id)),
  );
  await writeResolved(trx, changed, resolution);
  // Includes messages that had failed before without a refund, for example by an unauthenticated bounce.
  if (to === 'FAILED') await refundFailed(trx, open);
  const event = to === 'SUCCESS' ? ('sent' as const) : ('failed' as const);
  if (changed.length > 0)
    await publish(
      trx,
      changed.map(({ id, accountId, createdAt }) => ({ event, id, accountId, createdAt })),
    );
  return ids.map((id): ResolveOutcome => {
    const code = refused.get(id);
    const was = found.get(id)?.status;
    if (code || !was) return { id, outcome: 'refused', code: code ?? 'E_NOT_FOUND' };
    return { id, outcome: isChanged.has(id) ? 'changed' : 'unchanged', was };
  });
};

/** One message. A repeat changes nothing. */
export const resolveMessage = async (
  deps: ResolveDeps,
  { id, ...resolution }: Resolution & { id: MessageId },
): Promise<{ changed: boolean; was: MessageStatus }> => {
  const [resolved] = await retryOnConflict(() =>
    indexOnlyTransaction(deps.db, (trx) => resolveWithin({ ...deps, db: trx }, { ids: [id], ...resolution })),
  );
  if (!resolved || resolved.outcome === 'refused') throw new DomainError(resolved?.code ?? 'E_NOT_FOUND');
  return { changed: resolved.outcome === 'changed', was: resolved.was };
};
