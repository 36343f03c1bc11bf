import type { Carrier, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import {
  type Budget,
  budgetOf,
  dayOf,
  type GovernorFacts,
  type GovernorPolicy,
  type Hold,
  judgeSend,
  todayOf,
} from './governor.ts';

export interface Governed {
  policy: GovernorPolicy;
  facts: GovernorFacts;
  /** Whether the device has not written to this person before, nor heard from them. */
  isNew: (recipient: string) => Promise<boolean>;
  /** Takes a message out of the day's budget; undefined if nothing is left of it. */
  take: (of: {
    day: string;
    isNew: boolean;
    budget: Budget;
  }) => Promise<Pick<GovernorFacts, 'sent' | 'newContacts'> | undefined>;
  /** Undoes a `take`. */
  giveBack: (of: { day: string; isNew: boolean }) => Promise<void>;
  now?: () => number;
  random?: () => number;
}

/** When to look again while one is on its way to the day's budget; its answer comes sooner. */
const LOOK_MS = 1_000;

const NEVER_SENT: Partial<Record<Hold['code'], string>> = {
  NEW_CONTACTS: 'The device has begun as many new chats as it may today.',
};

/** Certainly not sent, and not before this moment. */
const putOff = ({ code, untilMs }: Hold): SendOutcome => ({
  outcome: 'refused',
  code: `DEVICE_${code}`,
  reason: NEVER_SENT[code] ?? 'The device waits, so that its number stays safe.',
  retryable: true,
  notBefore: new Date(untilMs),
});

/** Certainly not sent: the database was asked before the message was handed over, and did not answer. */
const UNCOUNTED: SendOutcome = {
  outcome: 'refused',
  code: 'DEVICE_UNCOUNTED',
  reason: "The device's day could not be looked up.",
  retryable: true,
};

/**
 * A device's carrier behind its governor. What holds every message keeps the lane from claiming any; what holds only
 * people whom it does not know puts their messages off, so that others go on.
 */
export const governedCarrier = (
  carrier: Carrier,
  { policy, facts, isNew, take, giveBack, now = Date.now, random = Math.random }: Governed,
): Carrier => {
  /** One is on its way to the day's budget: whether another may follow is known after that. */
  let admitting = false;
  const holdNow = (nowMs: number): Hold | null => judgeSend(policy, facts, { nowMs, isNew: false });

  /** Takes the message out of the day's budget, or says why it has to wait. */
  const admit = async (
    message: Outgoing,
  ): Promise<{ day: string; isNew: boolean } | { refusal: SendOutcome }> => {
    const stranger = await isNew(message.recipient);
    const nowMs = now();
    const hold = judgeSend(policy, facts, { nowMs, isNew: stranger });
    if (hold) return { refusal: putOff(hold) };
    const day = dayOf(nowMs, facts.timeZone);
    const taken = await take({ day, isNew: stranger, budget: budgetOf(policy, facts, nowMs) });
    if (!taken) {
      // Another worker had the device meanwhile: what is known here is too little.
      const spent = stranger ? { newContacts: Number.POSITIVE_INFINITY } : { sent: Number.POSITIVE_INFINITY };
      Object.assign(facts, todayOf(facts, nowMs), spent, { day });
      const again: Hold = judgeSend(policy, facts, { nowMs, isNew: stranger }) ?? {
        code: 'PACE',
        untilMs: nowMs,
      };
      return { refusal: putOff(again) };
    }
    Object.assign(facts, taken, { day, lastMs: nowMs, draw: random() });
    return { day, isNew: stranger };
  };

  const undo = async (admitted: { day: string; isNew: boolean }): Promise<void> => {
    await giveBack(admitted);
    facts.sent -= 1;
    if (admitted.isNew) facts.newContacts -= 1;
  };

  const send = async (message: Outgoing): Promise<SendOutcome> => {
    admitting = true;
    const admitted = await admit(message)
      .catch(() => ({ refusal: UNCOUNTED }))
      .finally(() => {
        admitting = false;
      });
    if ('refusal' in admitted) return admitted.refusal;
    const outcome = await carrier.send(message);
    // It will be tried again: a file that can't be fetched must not use up the day. If it can't be given back, the day
    // is a message shorter: that this one was not sent is certain all the same.
    if (outcome.outcome === 'refused' && outcome.retryable) await undo(admitted).catch(() => {});
    return outcome;
  };

  return {
    ...carrier,
    // One after the other, as a person writes.
    window: 1,
    gate: {
      room: (nowMs) => (admitting || holdNow(nowMs) ? 0 : 1),
      freeAt: (nowMs) => holdNow(nowMs)?.untilMs ?? (admitting ? nowMs + LOOK_MS : nowMs),
    },
    send,
  };
};
