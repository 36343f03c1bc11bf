import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Phrase } from '../../../ground/translations/index.ts';
import { wakeLanes } from '../../lanes/index.ts';
import {
  type Explained,
  type LaneFacts,
  nearestOf,
  openChooser,
  type RoutedMessage,
  readLaneFacts,
} from '../../routing/index.ts';
import { countWaitingIn } from '../waiting/chunk-store.ts';
import { readRecipientFacts } from './recipient-facts.ts';
import { lockWaiting, type Move, moveLocked, readRouted } from './transfer-store.ts';

/** Why a message was not transferred, for admins. */
export interface NotTransferred {
  id: MessageId;
  reason: Phrase;
}

interface Transferred {
  moved: number;
  /** Where the last of them was, and where it went. */
  from: LaneFacts | undefined;
  to: LaneFacts | undefined;
  refused: NotTransferred[];
}

/** A lane, or whichever way out of a phone is for the message. */
type Target = number | { phoneName: string };

type Waits = RoutedMessage & { recipient: string; laneId: number };

/** Whether the lane can send now. A lane that can't is chosen only if an admin names it. */
const canSend = ({ score, rule }: Explained): boolean =>
  score !== null && rule !== 'DOWN' && rule !== 'REJECTING';

/** What each message's next lane is, or why it has none: by routing's rules, also for a lane that was asked for. */
const openMoves = (
  facts: LaneFacts[],
  knownOf: Awaited<ReturnType<typeof readRecipientFacts>>,
  to: Target | undefined,
) => {
  const chooser = openChooser(facts, { nowMs: Date.now() });
  const anywhere = (message: Waits): number | Phrase => {
    const tried = [...(message.tried ?? []), message.laneId];
    const asked = { ...message, tried, ...knownOf(message.recipient) };
    const judged = chooser.explain(asked);
    // Each choice counts at once, so that moving many messages spreads them over the lanes as single moves would.
    if (judged[0] && canSend(judged[0])) return chooser.choose(asked).lane.id;
    const nearest = nearestOf(
      judged.filter(({ laneId, rule }) => laneId !== message.laneId && rule !== 'CHANNEL'),
    );
    return nearest?.fault
      ? { label: 'not_transferred.nowhere', values: { lane: nearest.name, reason: nearest.fault } }
      : { label: 'not_transferred.no_other' };
  };
  const asAsked = (message: Waits, target: Target): number | Phrase => {
    // The lane may have had this message before.
    const judged = chooser.explain({ ...message, tried: [], ...knownOf(message.recipient) });
    const found =
      typeof target === 'number'
        ? judged.find(({ laneId }) => laneId === target)
        : nearestOf(judged.filter(({ phone }) => phone?.phoneName === target.phoneName));
    if (!found) return { label: 'not_transferred.no_such_lane' };
    if (found.laneId === message.laneId) return { label: 'not_transferred.here_already' };
    return found.score === null ? found.sentence : found.laneId;
  };
  return (message: Waits) => (to === undefined ? anywhere(message) : asAsked(message, to));
};

interface Transfer {
  ids: MessageId[];
  to?: Target | undefined;
}

/**
 * Moves messages that wait into another lane: the given one, or for each the one that routing chooses. Within a
 * transaction that does more.
 */
export const transferWithin = async (trx: Db, { ids, to }: Transfer): Promise<Transferred> => {
  const waiting = await lockWaiting(trx, ids);
  const facts = await readLaneFacts(trx, countWaitingIn);
  const knownOf = await readRecipientFacts(
    trx,
    waiting.map(({ recipient }) => recipient),
  );
  const laneOf = openMoves(facts, knownOf, to);
  const found = new Set(waiting.map(({ id }) => id));
  const refused: NotTransferred[] = ids
    .filter((id) => !found.has(id))
    .map((id) => ({ id, reason: { label: 'not_transferred.not_waiting' } }));
  const moves: Move[] = [];
  for (const one of waiting) {
    const lane = laneOf(one);
    if (typeof lane === 'number') moves.push({ waiting: one, to: lane });
    else refused.push({ id: one.id, reason: lane });
  }
  await moveLocked(trx, moves, 'TRANSFERRED');
  if (moves.length > 0) await wakeLanes(trx, [...new Set(moves.map((move) => move.to))]);
  const last = moves.at(-1);
  const laneBy = (laneId: number | undefined) => facts.find(({ id }) => id === laneId);
  return { moved: moves.length, from: laneBy(last?.waiting.laneId), to: laneBy(last?.to), refused };
};

export const transferMessages = (db: Db, transfer: Transfer): Promise<Transferred> =>
  db.transaction().execute((trx) => transferWithin(trx, transfer));

/** How routing judges the phones for a message, the best first; undefined if there is no such message. */
export const previewTransfer = async (
  db: Db,
  { id, includeSelf }: { id: MessageId; includeSelf: boolean },
): Promise<Explained[] | undefined> => {
  const message = await readRouted(db, id);
  if (!message) return undefined;
  const known = (await readRecipientFacts(db, [message.recipient]))(message.recipient);
  const chooser = openChooser(await readLaneFacts(db, countWaitingIn), { nowMs: Date.now() });
  const tried = includeSelf ? [] : [...(message.tried ?? []), message.laneId ?? 0];
  const judged = chooser.explain({ ...message, tried, ...known });
  const self = judged.find(({ laneId }) => laneId === message.laneId)?.phone?.phoneName;
  const seen = new Set(includeSelf ? [] : [self]);
  // Ordered by score; each phone is represented by its best lane for this message.
  return judged.filter(({ phone }) => {
    if (phone === null || seen.has(phone.phoneName)) return false;
    seen.add(phone.phoneName);
    return true;
  });
};
