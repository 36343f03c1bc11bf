import type { MessageId } from '../../contract/messages.ts';
import { wakeLanes } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import { type LaneFacts, openChooser, type RoutedMessage, readLaneFacts } from '../routing/index.ts';
import { countWaitingIn } from './chunk-store.ts';
import { lockWaiting, type Move, moveLocked } from './transfer-store.ts';

/** Why a message was not transferred, for admins. */
export interface NotTransferred {
  id: MessageId;
  reason: string;
}

interface Transferred {
  moved: number;
  refused: NotTransferred[];
}

const NOT_WAITING = 'It does not wait in a lane.';
const HERE_ALREADY = 'It waits in that lane already.';

/** What each message's next lane is, or why it has none: by routing's rules, also for a lane that was asked for. */
const openMoves = (facts: LaneFacts[], to: number | undefined) => {
  const chooser = openChooser(facts, { nowMs: Date.now() });
  const best = (message: RoutedMessage & { laneId: number }) => {
    // A lane that was asked for may have had it before.
    const tried = to === undefined ? [...(message.tried ?? []), message.laneId] : [];
    const judged = chooser.explain({ ...message, tried });
    return to === undefined ? judged[0] : judged.find(({ laneId }) => laneId === to);
  };
  return (message: RoutedMessage & { laneId: number }): number | string => {
    if (message.laneId === to) return HERE_ALREADY;
    const found = best(message);
    if (!found) return 'There is no such lane.';
    return found.score === null ? found.sentence : found.laneId;
  };
};

/** Moves messages that wait into another lane: the given one, or for each the one that routing chooses. */
export const transferMessages = (
  db: Db,
  { ids, to }: { ids: MessageId[]; to?: number | undefined },
): Promise<Transferred> =>
  db.transaction().execute(async (trx) => {
    const waiting = await lockWaiting(trx, ids);
    const laneOf = openMoves(await readLaneFacts(trx, countWaitingIn), to);
    const found = new Set(waiting.map(({ id }) => id));
    const refused: NotTransferred[] = ids
      .filter((id) => !found.has(id))
      .map((id) => ({ id, reason: NOT_WAITING }));
    const moves: Move[] = [];
    for (const one of waiting) {
      const lane = laneOf(one);
      if (typeof lane === 'number') moves.push({ waiting: one, to: lane });
      else refused.push({ id: one.id, reason: lane });
    }
    await moveLocked(trx, moves, 'TRANSFERRED');
    if (moves.length > 0) await wakeLanes(trx, [...new Set(moves.map((move) => move.to))]);
    return { moved: moves.length, refused };
  });
