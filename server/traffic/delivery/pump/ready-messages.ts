import type { Throttle } from '../../lanes/index.ts';
import type { Claim, Claimed } from '../../outbox/index.ts';

/** What is claimed and not handed over yet. */
interface Ready {
  /** In the order of sending. */
  messages: Claimed[];
  /** When each claim came, the oldest first; of which some may be ready. */
  came: { claim: Claim; at: number }[];
}

const NOTHING_READY: Ready = { messages: [], came: [] };

const URGENT = 0;

/** Urgent messages overtake those that are claimed but not yet handed over. */
const inOrder = (messages: Claimed[], claimed: Claimed[]): Claimed[] =>
  claimed.some(({ priority }) => priority < (messages.at(-1)?.priority ?? URGENT))
    ? [...messages, ...claimed].sort((a, b) => a.priority - b.priority)
    : messages.concat(claimed);

export const addClaimed = ({ messages, came }: Ready, claimed: Claimed[], at: number): Ready => {
  const [first] = claimed;
  return {
    messages: inOrder(messages, claimed),
    came: first ? [...came, { claim: first.claim, at }] : came,
  };
};

/** Of messages in the order of sending. */
export const countUrgent = (messages: Claimed[]): number => {
  const others = messages.findIndex(({ priority }) => priority > URGENT);
  return others === -1 ? messages.length : others;
};

interface Lateness {
  now: number;
  throttle: Pick<Throttle, 'room' | 'freeAt'>;
  putBackMs: number;
}

/** How many stay of those that the throttle does not let out soon; the last to be sent go back first. */
const countUnthrottled = ({ length }: Claimed[], { now, throttle, putBackMs }: Lateness): number => {
  const room = throttle.room(now);
  if (length <= room) return length;
  return room > 0 || throttle.freeAt(now) - now > putBackMs ? room : length;
};

/** Those that don't go out within seconds: the throttle holds them, or they were claimed too long ago. */
export const splitLate = (
  { messages, came }: Ready,
  lateness: Lateness,
): { throttled: Claimed[]; old: Claimed[]; ready: Ready } => {
  if (messages.length === 0) return { throttled: [], old: [], ready: NOTHING_READY };
  const { now, putBackMs } = lateness;
  const place = countUnthrottled(messages, lateness);
  const throttled = messages.slice(place);
  const rest = throttled.length > 0 ? messages.slice(0, place) : messages;
  // Those that have been claimed for too long, whatever keeps them.
  const before = now - putBackMs;
  if ((came[0]?.at ?? now) > before) return { throttled, old: [], ready: { messages: rest, came } };
  const past = new Set(came.filter(({ at }) => at <= before).map(({ claim }) => claim));
  const { old = [], left = [] } = Object.groupBy(rest, ({ claim }) => (past.has(claim) ? 'old' : 'left'));
  return { throttled, old, ready: { messages: left, came: came.filter(({ at }) => at > before) } };
};

interface ReadyOptions extends Omit<Lateness, 'now'> {
  /** Some were claimed for too long. */
  onOld: () => void;
}

export const openReady = ({ onOld, ...late }: ReadyOptions) => {
  let ready = NOTHING_READY;
  return {
    messages: (): Claimed[] => ready.messages,
    hasAny: (): boolean => ready.messages.length > 0,
    add: (claimed: Claimed[]): void => {
      ready = addClaimed(ready, claimed, Date.now());
    },
    /** The first ones are handed over. */
    drop: (count: number): void => {
      ready = { ...ready, messages: ready.messages.slice(count) };
    },
    /** Those that were not handed over; they are no longer ours to send. */
    takeBack: (): Claimed[] => {
      const { messages } = ready;
      ready = NOTHING_READY;
      return messages;
    },
    /** Those of them that don't go out within seconds. */
    takeLate: (): Claimed[] => {
      const { throttled, old, ready: left } = splitLate(ready, { ...late, now: Date.now() });
      ready = left;
      if (old.length > 0) onOld();
      return throttled.concat(old);
    },
  };
};
