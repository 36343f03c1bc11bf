import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import { readDueChunks } from '../events/chunk-store.ts';
import type { DueChunk, DueEvent, EventOutcome } from '../events/due-event.ts';
import { readDueEvents } from '../events/due-store.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import type { EventBudget } from './event-budget.ts';
import { openEventQueue } from './event-queue.ts';
import type { Outcomes } from './record-outcomes.ts';

interface ClaimsOptions extends Pick<WebhooksDeps, 'db'> {
  accountId: AccountId;
  outcomes: Outcomes;
  budget: EventBudget;
  /** Something was answered or written. */
  onChange: () => void;
}

type Health = Parameters<Outcomes['add']>[0]['health'];

/** A chunk of which some events have no outcome yet. */
interface OpenChunk {
  chunk: DueChunk;
  left: number;
  delivered: EventOutcome[];
}

/** An event that is to be sent later, which the database may not know yet. */
interface PutOff {
  eventId: EventId;
  nextAt: Date;
  isWritten: boolean;
}

/** Put off until an earlier event of its message is tried again. */
const heldUntil = (event: DueEvent, nextAt: Date): EventOutcome => ({
  event,
  state: event.attempts > 0 ? 'RETRYING' : 'WAITING',
  nextAt,
  answer: undefined,
});

/**
 * The events of one endpoint that this process has read, from then until their outcomes are written. The endpoint's
 * lease makes them ours. A chunk whose events were all delivered is written as one row.
 */
export const openEventClaims = ({ db, accountId, outcomes, budget, onChange }: ClaimsOptions) => {
  const queue = openEventQueue();
  /** Chunks, and events with a row of their own, with how many events each is. */
  const claimed = new Map<EventId, number>();
  const open = new Map<EventId, OpenChunk>();
  /** The last event of each message that was put off: a later one waits, although the database did not tell so. */
  const putOff = new Map<MessageId, PutOff>();
  let inHand = 0;
  let unwritten = 0;

  const claim = (id: EventId, count: number): void => {
    claimed.set(id, count);
    inHand += count;
    budget.use(count);
  };
  const release = (id: EventId): void => {
    const count = claimed.get(id) ?? 0;
    claimed.delete(id);
    inHand -= count;
    budget.use(-count);
  };

  const write = (fact: Parameters<Outcomes['add']>[0], released: EventId[]): void => {
    const later: PutOff[] = [];
    for (const { event, nextAt } of fact.outcomes ?? []) {
      if (!event.messageId || !nextAt) continue;
      const one = { eventId: event.id, nextAt, isWritten: false };
      putOff.set(event.messageId, one);
      later.push(one);
    }
    unwritten += 1;
    void outcomes.add(fact).then(() => {
      unwritten -= 1;
      for (const one of later) one.isWritten = true;
      for (const id of released) release(id);
      onChange();
    });
  };
  /** Ids of events lie in the order of their creation. */
  const waitsUntil = ({ id, messageId, heldUntil }: DueEvent): Date | null => {
    const before = messageId && putOff.get(messageId);
    return before && before.eventId < id ? before.nextAt : heldUntil;
  };

  const closeChunk = ({ chunk, delivered }: OpenChunk): void => {
    open.delete(chunk.id);
    const answer = delivered.at(-1)?.answer;
    // Written after what has left the chunk: outcomes are written in order.
    const state = answer ? 'DELIVERED' : 'PARKED';
    const { at = null, status = null, body = '', milliseconds = null } = answer ?? {};
    write({ chunk: { id: chunk.id, state, at, status, body, milliseconds } }, [chunk.id]);
  };

  /** Writes what concerns single events, and the chunks that are complete with these. */
  const conclude = (concluded: EventOutcome[], health?: Health): void => {
    const apart = concluded.filter(({ event, state }) => !event.chunk || state !== 'DELIVERED');
    const own = apart.filter(({ event }) => !event.chunk).map(({ event }) => event.id);
    if (apart.length > 0 || health) write({ outcomes: apart, health }, own);
    for (const outcome of concluded) {
      const chunk = outcome.event.chunk && open.get(outcome.event.chunk.id);
      if (!chunk) continue;
      chunk.left -= 1;
      if (outcome.state === 'DELIVERED') chunk.delivered.push(outcome);
      if (chunk.left === 0) closeChunk(chunk);
    }
  };

  const add = (events: DueEvent[]): void => {
    const held: EventOutcome[] = [];
    for (const event of events) {
      const nextAt = waitsUntil(event);
      if (nextAt) held.push(heldUntil(event, nextAt));
      else queue.add(event);
    }
    if (held.length > 0) conclude(held);
  };

  const readDue = async (limit: number): Promise<boolean> => {
    // A read shows what was written before it began; it may have missed what was written meanwhile.
    for (const [messageId, { isWritten }] of putOff) if (isWritten) putOff.delete(messageId);
    const asked = { accountId, claimed: [...claimed.keys()], limit };
    const own = await readDueEvents(db, asked);
    for (const { id } of own) claim(id, 1);
    add(own);
    if (own.length === limit) return true;
    const { chunks, more } = await readDueChunks(db, { ...asked, claimed: [...claimed.keys()] });
    for (const { chunk, events } of chunks) {
      claim(chunk.id, events.length);
      const opened = { chunk, left: events.length, delivered: [] };
      open.set(chunk.id, opened);
      if (events.length === 0) closeChunk(opened);
      else add(events);
    }
    return more;
  };

  return {
    /** Chunks and single events. */
    size: (): number => claimed.size,
    /** Events. */
    inHand: (): number => inHand,
    waiting: queue.readySize,
    take: queue.take,
    /** Reads what is due, about as many as asked for; resolves with whether there may be more. */
    read: async (limit: number): Promise<boolean> => {
      // Reserves room until the number of events is known, because other endpoints read at the same time.
      budget.use(limit);
      try {
        return await readDue(limit);
      } finally {
        budget.use(-limit);
      }
    },
    settle: (given: EventOutcome[], health: Health): void => {
      const concluded = given.flatMap((outcome) => {
        if (outcome.state !== 'RETRYING') {
          queue.settled(outcome.event);
          return [outcome];
        }
        const nextAt = outcome.nextAt as Date;
        return [outcome, ...queue.putOff(outcome.event).map((event) => heldUntil(event, nextAt))];
      });
      conclude(concluded, health);
    },
    /**
     * Lets go of what was not sent, once nothing is in flight. What was delivered of a chunk gets rows of its own, so
     * that it is not sent again with the rest. Resolves once all is written.
     */
    release: async (changed: () => Promise<unknown>): Promise<void> => {
      queue.clear();
      for (const { delivered } of open.values()) if (delivered.length > 0) write({ outcomes: delivered }, []);
      while (unwritten > 0) await changed();
      open.clear();
      putOff.clear();
      for (const id of [...claimed.keys()]) release(id);
    },
  };
};
