import type { Bind } from './bind.ts';
import type { MessageFields } from './pdu-writer.ts';
import type { Settle } from './session.ts';
import type { Refusal } from './statuses.ts';

/** Waits for room in a window, and goes to the bind that has most. */
interface Outbox {
  /** `handed` is asked before a bind gets it; if it says no, it is not submitted. */
  submit: (fields: MessageFields, settle: Settle, handed?: () => boolean) => void;
  /** Hands over as many as there is room for. */
  pump: () => void;
  /** Gives back what could not be handed over: all of it, or what has waited for longer than this. */
  giveBack: (refusal: Refusal, olderThanMs?: number) => void;
}

interface Waiting {
  fields: MessageFields;
  settle: Settle;
  handed: (() => boolean) | undefined;
  since: number;
}

const UNNOTED: Refusal = {
  outcome: 'refused',
  code: 'BUSY',
  reason: 'It could not be noted that it is handed over.',
  retryable: true,
};

const hand = (bind: Bind, { fields, settle, handed }: Omit<Waiting, 'since'>): void => {
  if (handed && !handed()) settle(UNNOTED);
  else bind.submit(fields, settle);
};

export const openOutbox = (binds: () => readonly Bind[]): Outbox => {
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
  return {
    submit: (fields, settle, handed) => {
      const bind = waiting.length === 0 ? roomiest() : undefined;
      if (bind) hand(bind, { fields, settle, handed });
      else waiting.push({ fields, settle, handed, since: performance.now() });
    },
    pump,
    giveBack: (refusal, olderThanMs = 0) => {
      const oldest = performance.now() - olderThanMs;
      const old = waiting.filter(({ since }) => since <= oldest);
      waiting = waiting.filter(({ since }) => since > oldest);
      for (const { settle } of old) settle(refusal);
    },
  };
};
