import { z } from 'zod';
import { messageId } from '../../../contract/traffic/messages.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { findCarrierId, findSessions } from '../outbox/index.ts';
import { type Choice, unitCost } from '../routing/index.ts';
import { type Prepared, routedMessage } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';
import type { Terms } from './terms.ts';

interface Bound extends Prepared {
  bound: Choice;
}

/**
 * For lanes that allow free text only for some time after the customer last wrote: refuses other messages, before
 * anything is charged. A template is always allowed. If several numbers are ours, the one that the customer wrote to is
 * used.
 */
const requireSession = async (
  { db }: Pick<SendingDeps, 'db'>,
  { accountId, chooser, schedule }: Terms,
  prepared: Bound,
): Promise<Bound> => {
  const { lane } = prepared.bound;
  if (lane.sessionHours === null) return prepared;
  const sessions = await findSessions(db, { accountId, customer: prepared.recipient, at: schedule?.at });
  const isTemplate = prepared.content?.template !== undefined;
  const own = sessions.find(({ laneId }) => laneId === lane.id);
  // A device keeps its messages, wherever the customer wrote to, and sends only those that name it.
  const isShared = (laneId: number) => {
    const written = chooser.lane(laneId);
    return written?.simulated === false && written.device === null;
  };
  const mayChange = !isTemplate && lane.device === null;
  const open = own ?? (mayChange ? sessions.find(({ laneId }) => isShared(laneId)) : undefined);
  if (!open) {
    if (isTemplate) return prepared;
    throw new DomainError('E_NO_SESSION', { hours: lane.sessionHours });
  }
  const written = chooser.lane(open.laneId) ?? lane;
  return {
    ...prepared,
    bound: { lane: written, why: 'CONVERSATION', unitCostMicros: unitCost(written, prepared.country) },
    content: { ...prepared.content, sessionSince: open.since.toISOString() },
  };
};

/** The carrier's id of the message that is replied to: it must be of the same account and lane. */
const resolveQuoted = async (
  { db }: Pick<SendingDeps, 'db'>,
  { accountId }: Terms,
  prepared: Bound,
): Promise<Prepared> => {
  const quoted = prepared.content?.quotedMessage;
  if (quoted === undefined) return prepared;
  const { data: id } = z.uuid().pipe(messageId).safeParse(quoted);
  const found = await findCarrierId(db, {
    accountId,
    laneId: prepared.bound.lane.id,
    ...(id ? { id } : { carrierId: quoted }),
  });
  if (!found) throw new DomainError('E_QUOTED_UNKNOWN');
  return { ...prepared, content: { ...prepared.content, quotedMessage: found } };
};

/** Checks of a WhatsApp message that need the database. In a conversation it is bound to its lane. */
export const placeInConversation = async (
  deps: Pick<SendingDeps, 'db'>,
  terms: Terms,
  prepared: Prepared,
): Promise<Prepared> => {
  const bound = terms.chooser.peek(routedMessage(terms, prepared));
  const checked = await requireSession(deps, terms, { ...prepared, bound });
  if (checked.bound === bound && prepared.content?.quotedMessage === undefined) return prepared;
  return resolveQuoted(deps, terms, checked);
};
