import type { Db } from '../../../ground/postgres/index.ts';
import type { OutboxEvent, Publisher } from '../outbox-event.ts';
import type { Failed } from '../results/result-store.ts';
import { type PartReceipt, type Told, tellParts, verdictOf } from './message-parts.ts';
import {
  lockParted,
  type MessageKey,
  type PartedMessage,
  type PartsChange,
  writeParts,
} from './part-store.ts';

/** What a receipt says of a part of a message. */
export type ReceivedPart = MessageKey & PartReceipt;

/** Which outcomes may still change the message's state: the same rules as for a message in one piece. */
const changeOf = (message: PartedMessage, { parts, failedNow }: Told): PartsChange => {
  const { id, createdAt, status, delivered } = message;
  const verdict = verdictOf(parts);
  const isOpen = status === 'PENDING' || status === 'SUCCESS' || status === 'FAILED_WITH_EXCEPTION';
  // Only new information may change an admin's decision.
  const fails = verdict.status === 'FAILED' && failedNow && !delivered;
  const succeeds = verdict.status === 'SUCCESS' && (status !== 'SUCCESS' || verdict.deliveredAt !== null);
  return { id, createdAt, parts, standing: isOpen && (fails || succeeds) ? verdict : undefined };
};

/** What happened to a message by this change of its parts. */
export const partEvents = (
  { accountId, status, delivered }: PartedMessage,
  change: PartsChange,
): OutboxEvent[] => {
  const { standing, id, createdAt } = change;
  if (!standing) return [];
  const told = (event: OutboxEvent['event']): OutboxEvent => ({ event, id, accountId, createdAt });
  if (standing.status === 'FAILED') return [told('failed')];
  return [
    ...(status === 'SUCCESS' ? [] : [told('sent')]),
    ...(standing.deliveredAt && !delivered ? [told('delivered')] : []),
  ];
};

/**
 * Keeps what receipts say of parts, and what that makes of their messages. Returns those that failed by it, which are
 * yet to be refunded.
 */
export const tellPartsOf = async (
  trx: Db,
  { received, publisher }: { received: ReceivedPart[]; publisher: Pick<Publisher, 'publish'> },
): Promise<Failed[]> => {
  if (received.length === 0) return [];
  const byMessage = Map.groupBy(received, ({ id }) => id);
  const told = (await lockParted(trx, received)).flatMap((message) => {
    const told = tellParts(message.parts, byMessage.get(message.id) ?? []);
    return told.changed ? [{ message, change: changeOf(message, told) }] : [];
  });
  if (told.length === 0) return [];
  await writeParts(
    trx,
    told.map(({ change }) => change),
  );
  const events = told.flatMap(({ message, change }) => partEvents(message, change));
  if (events.length > 0) await publisher.publish(trx, events);
  return told.flatMap(({ message, change }) => (change.standing?.status === 'FAILED' ? [message] : []));
};
