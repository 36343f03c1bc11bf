import type { Bind } from './bind.ts';
import type { MessageFields } from './pdu-writer.ts';
import type { Settle } from './session.ts';
import type { Refusal } from './statuses.ts';

/** Waits for room in a window, and goes to the bind that has most. */
interface Outbox {
  submit: (fields: MessageFields, settle: Settle) => void;
  /** Hands over as many as there is room for. */
  pump: () => void;
  /** Gives back what could not be handed over: all of it, or what has waited for longer than this. */
  giveBack: (refusal: Refusal, olderThanMs?: number) => void;
}

interface Waiting {
  fields: MessageFields;
  settle: Settle;
  since: number;
}

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
    for (const { fields, settle } of waiting) {
      const bind = roomiest();
      if (!bind) break;
      bind.submit(fields, settle);
      handed += 1;
    }
    if (handed > 0) waiting = waiting.slice(handed);
  };
  return {
    submit: (fields, settle) => {
      const bind = waiting.length === 0 ? roomiest() : undefined;
      if (bind) bind.submit(fields, settle);
      else waiting.push({ fields, settle, since: performance.now() });
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
