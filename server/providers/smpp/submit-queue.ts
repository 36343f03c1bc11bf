import type { Bind } from './bind.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import type { SmppRefusal } from './codec/statuses.ts';
import type { Settle } from './session/submits.ts';

/** The rest of a long message. */
export interface Rest {
  /** Asked before a bind gets the part; if it says no, it is not submitted. */
  handed: () => boolean;
  /** Whether another part of it was, and may have been taken: then the message can't go back. */
  isBegun: () => boolean;
}

/** Submits that wait for room in a window, and go to the bind that has most. */
export interface SubmitQueue {
  submit: (fields: MessageFields, settle: Settle, rest?: Rest) => void;
  /** Hands over as many as there is room for. */
  pump: () => void;
  /** How many more could be handed over at once. */
  room: () => number;
  /** Gives back all that could not be handed over. */
  giveBack: (refusal: SmppRefusal) => void;
  /** What has waited for longer than this, or as what is left of a message that was begun. */
  giveBackOld: (refusal: SmppRefusal, olderThanMs: { whole: number; begun: number }) => void;
}

interface Waiting {
  fields: MessageFields;
  settle: Settle;
  rest: Rest | undefined;
  since: number;
}

const UNNOTED: SmppRefusal = {
  outcome: 'refused',
  code: 'BUSY',
  reason: 'It could not be noted that it is handed over.',
  retryable: true,
};

const hand = (bind: Bind, { fields, settle, rest }: Omit<Waiting, 'since'>): void => {
  if (rest && !rest.handed()) settle(UNNOTED);
  else bind.submit(fields, settle);
};

export const openSubmitQueue = (binds: () => readonly Bind[]): SubmitQueue => {
  let waiting: Waiting[] = [];

  const roomiest = (): Bind | undefined => {
    let best: Bind | undefined;
    let most = 0;
    for (const bind of binds()) {
      const room = bind.room();
      if (room <= most) continue;
      most = room;
      best = bind;
    }
    return best;
  };
  const pump = (): void => {
    let handed = 0;
    for (const one of waiting) {
      const bind = roomiest();
      if (!bind) break;
      hand(bind, one);
      handed += 1;
    }
    if (handed > 0) waiting = waiting.slice(handed);
  };
  const giveBackThose = (refusal: SmppRefusal, isGivenBack: (one: Waiting) => boolean): void => {
    const { back = [], left = [] } = Object.groupBy(waiting, (one) => (isGivenBack(one) ? 'back' : 'left'));
    waiting = left;
    for (const { settle } of back) settle(refusal);
  };
  return {
    submit: (fields, settle, rest) => {
      const bind = waiting.length === 0 ? roomiest() : undefined;
      if (bind) hand(bind, { fields, settle, rest });
      else waiting.push({ fields, settle, rest, since: performance.now() });
    },
    pump,
    room: () => {
      let room = -waiting.length;
      for (const bind of binds()) room += Math.max(0, bind.room());
      return Math.max(0, room);
    },
    giveBack: (refusal) => giveBackThose(refusal, () => true),
    giveBackOld: (refusal, { whole, begun }) => {
      const now = performance.now();
      giveBackThose(refusal, ({ rest, since }) => now - since >= (rest?.isBegun() ? begun : whole));
    },
  };
};
