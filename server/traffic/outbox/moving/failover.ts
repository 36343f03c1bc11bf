import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { wakeLanes } from '../../lanes/index.ts';
import {
  type Chooser,
  type LaneFacts,
  openChooser,
  phoneSendersOf,
  type RoutedMessage,
  readLaneFacts,
} from '../../routing/index.ts';
import { ANY_PRIORITY, countWaitingIn } from '../waiting/chunk-store.ts';
import type { Attempted } from '../waiting/claimed-store.ts';
import { readRecipientFacts } from './recipient-facts.ts';
import {
  lockDue,
  lockLane,
  lockRefused,
  moveLocked,
  moveRefused,
  readRouteOf,
  type TransferReason,
  type TroubledLane,
} from './transfer-store.ts';

/** A message that a lane has deferred this often moves to another: some three seconds after the first time. */
const ATTEMPTS_A_LANE = 3;
const PORTION = 1_000;
/**
 * Files are moved until this many messages wait in the lane that takes over; the rest stays for when its own lane
 * recovers.
 */
const MOST_AHEAD = 5_000;
/** With less room than this, files wait, because they would move in tiny portions. */
const LEAST_ROOM = 500;
const SINGLES = 0;

type Here = Omit<TroubledLane, 'why'>;

interface Successors {
  lanes: LaneFacts[];
  /** Of all phones, also of this lane: what names its number is not sent from another one. */
  phoneSenders: string[];
}

/** The lanes that take over from this one: of its route, and certainly able to send. */
const successorsOf = async (db: Db, here: Here): Promise<Successors> => {
  if (here.route === '') return { lanes: [], phoneSenders: [] };
  const facts = await readLaneFacts(db, countWaitingIn);
  const lanes = facts.filter(
    ({ id, route, channel, simulated, mode, up, rejectingSince }) =>
      id !== here.id &&
      route === here.route &&
      channel === here.channel &&
      simulated === here.simulated &&
      mode === 'on' &&
      up === true &&
      rejectingSince === null,
  );
  return { lanes, phoneSenders: phoneSendersOf(facts) };
};

/** Who the recipients are matters only where a phone may take over. */
const knownOf = async (db: Db, lanes: LaneFacts[], messages: { recipient: string }[]) =>
  lanes.some(({ phone }) => phone !== null)
    ? readRecipientFacts(
        db,
        messages.map(({ recipient }) => recipient),
      )
    : () => ({});

/** The lane that routing would give it among these; undefined if none may have it, or it would only wait there. */
const choose = (chooser: Chooser, message: RoutedMessage, simulated: boolean): number | undefined => {
  try {
    const { lane, why } = chooser.choose({ ...message, test: simulated });
    return why === 'WAITS' ? undefined : lane.id;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'E_NO_LANE') return undefined;
    throw error;
  }
};

/**
 * Within the transaction that defers them, before they wait again: messages that were deferred too often move to the
 * next lane.
 */
export const failOverRefused = async (trx: Db, laneId: number, putOff: Attempted[]): Promise<void> => {
  const messages = putOff.filter(({ attempts }) => attempts >= ATTEMPTS_A_LANE);
  if (messages.length === 0) return;
  const here = await readRouteOf(trx, laneId);
  if (!here) return;
  const { lanes, phoneSenders } = await successorsOf(trx, here);
  if (lanes.length === 0) return;
  const refused = await lockRefused(trx, { laneId, messages, attempts: ATTEMPTS_A_LANE });
  const chooser = openChooser(lanes, { nowMs: Date.now(), phoneSenders });
  const known = await knownOf(trx, lanes, refused);
  const moves = refused.flatMap((one) => {
    const to = choose(chooser, { ...one, ...known(one.recipient) }, here.simulated);
    return to === undefined ? [] : [{ refused: one, to }];
  });
  await moveRefused(trx, moves);
  await wakeLanes(trx, [...new Set(moves.map(({ to }) => to))]);
};

export interface Moved {
  from: number;
  to: number;
  why: TransferReason;
  count: number;
}

/** Which of these lanes have room for files, and for how many messages; if none has, only singles move. */
const roomIn = async (trx: Db, successors: LaneFacts[]) => {
  const waiting = await countWaitingIn(
    trx,
    successors.map(({ id }) => id),
    MOST_AHEAD,
  );
  const roomOf = ({ id }: LaneFacts): number => MOST_AHEAD - (waiting.get(id) ?? 0);
  const roomy = successors.filter((lane) => roomOf(lane) >= LEAST_ROOM);
  return roomy.length > 0
    ? { lanes: roomy, limit: Math.min(PORTION, ...roomy.map(roomOf)), maxPriority: ANY_PRIORITY }
    : { lanes: successors, limit: PORTION, maxPriority: SINGLES };
};

/**
 * Moves a portion of what waits in a lane that is in trouble to the lanes that routing chooses among those that take
 * over. One worker at a time: another one would find the same chunks taken.
 */
export const moveFrom = (db: Db, here: TroubledLane): Promise<Moved[] | 'stuck' | undefined> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockLane(trx, here.id))) return undefined;
    const { lanes: successors, phoneSenders } = await successorsOf(trx, here);
    const { lanes, limit, maxPriority } = await roomIn(trx, successors);
    const due = lanes.length > 0 ? await lockDue(trx, { laneId: here.id, limit, maxPriority }) : [];
    const chooser = openChooser(lanes, { nowMs: Date.now(), phoneSenders });
    const known = await knownOf(trx, lanes, due);
    const moves = due.flatMap((waiting) => {
      const to = choose(chooser, { ...waiting, ...known(waiting.recipient) }, here.simulated);
      return to === undefined ? [] : [{ waiting, to }];
    });
    if (moves.length === 0)
      return ((await countWaitingIn(trx, [here.id], 1)).get(here.id) ?? 0) > 0 ? 'stuck' : undefined;
    await moveLocked(trx, moves, here.why);
    const byLane = Map.groupBy(moves, ({ to }) => to);
    await wakeLanes(trx, [...byLane.keys()]);
    return [...byLane].map(([to, of]) => ({ from: here.id, to, why: here.why, count: of.length }));
  });
