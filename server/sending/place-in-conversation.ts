import { z } from 'zod';
import type { AccountId } from '../../contract/accounts.ts';
import { messageId } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import { findCarrierId, findSessions } from '../outbox/index.ts';
import type { Prepared, Terms } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';

interface Conversation {
  accountId: AccountId;
  terms: Terms;
  prepared: Prepared;
}

/**
 * For lanes that allow free text only for some time after the customer last wrote: refuses other messages, before
 * anything is charged. A template is always allowed. If several numbers are ours, the one that the customer wrote to is
 * used.
 */
const requireSession = async (
  { db, lanes }: Pick<SendingDeps, 'db' | 'lanes'>,
  { accountId, terms, prepared }: Conversation,
): Promise<Pick<Conversation, 'terms' | 'prepared'>> => {
  if (terms.lane.sessionHours === null) return { terms, prepared };
  const sessions = await findSessions(db, {
    accountId,
    customer: prepared.recipient,
    at: terms.schedule?.at,
  });
  const isTemplate = prepared.content?.template !== undefined;
  const known = await lanes();
  const own = sessions.find(({ laneId }) => laneId === terms.lane.id);
  const open =
    own ??
    (isTemplate
      ? undefined
      : sessions.find(({ laneId }) => known.some(({ id, simulated }) => id === laneId && !simulated)));
  if (!open) {
    if (isTemplate) return { terms, prepared };
    throw new DomainError('E_NO_SESSION', { hours: terms.lane.sessionHours });
  }
  return {
    terms: { ...terms, lane: known.find(({ id }) => id === open.laneId) ?? terms.lane },
    prepared: { ...prepared, content: { ...prepared.content, sessionSince: open.since.toISOString() } },
  };
};

/** The carrier's id of the message that is replied to: it must be of the same account and lane. */
const resolveQuoted = async (
  { db }: Pick<SendingDeps, 'db'>,
  { accountId, terms, prepared }: Conversation,
): Promise<Prepared> => {
  const quoted = prepared.content?.quotedMessage;
  if (quoted === undefined) return prepared;
  const { data: id } = z.uuid().pipe(messageId).safeParse(quoted);
  const found = await findCarrierId(db, {
    accountId,
    laneId: terms.lane.id,
    ...(id ? { id } : { carrierId: quoted }),
  });
  if (!found) throw new DomainError('E_QUOTED_UNKNOWN');
  return { ...prepared, content: { ...prepared.content, quotedMessage: found } };
};

/** Checks of a WhatsApp message that need the database. */
export const placeInConversation = async (
  deps: Pick<SendingDeps, 'db' | 'lanes'>,
  conversation: Conversation,
): Promise<Pick<Conversation, 'terms' | 'prepared'>> => {
  const { accountId } = conversation;
  const { terms, prepared } = await requireSession(deps, conversation);
  return { terms, prepared: await resolveQuoted(deps, { accountId, terms, prepared }) };
};
