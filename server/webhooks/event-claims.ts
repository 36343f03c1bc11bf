import type { AccountId } from '../../contract/accounts.ts';
import type { EventId } from '../../contract/webhooks.ts';
import { readDueChunks } from './chunk-store.ts';
import type { DueChunk, DueEvent, Outcome } from './due-event.ts';
import { readDueEvents } from './due-store.ts';
import { openEventQueue } from './event-queue.ts';
import type { Outcomes } from './record-outcomes.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

interface ClaimsOptions extends Pick<WebhooksDeps, 'db'> {
  accountId: AccountId;
  outcomes: Outcomes;
  /** Something was answered or written. */
  onChange: () => void;
}

type Health = Parameters<Outcomes['add']>[0]['health'];

/** A chunk of which some events have no outcome yet. */
interface OpenChunk {
  chunk: DueChunk;
  left: number;
  delivered: Outcome[];
}

/** Put off until an earlier event of its message is tried again. */
const heldUntil = (event: DueEvent, nextAt: Date): Outcome => ({
  event,
  state: event.attempts > 0 ? 'RETRYING' : 'WAITING',
  nextAt,
  answer: undefined,
});

/**
 * The events of one endpoint that this process has read, from then until their outcomes are written. The endpoint's
 * lease makes them ours. A chunk whose events were all delivered is written as one row.
 */
export const openEventClaims = ({ db, accountId, outcomes, onChange }: ClaimsOptions) => {
  const queue = openEventQueue();
  /** Chunks, and events with a row of their own. */
  const claimed = new Set<EventId>();
  const open = new Map<EventId, OpenChunk>();
  let unwritten = 0;

  const write = (fact: Parameters<Outcomes['add']>[0], released: EventId[]): void => {
    unwritten += 1;
    void outcomes.add(fact).then(() => {
      unwritten -= 1;
      for (const id of released) claimed.delete(id);
      onChange();
    });
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
  const conclude = (concluded: Outcome[], health?: Health): void => {
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
    const held: Outcome[] = [];
    for (const event of events)
      if (event.heldUntil) held.push(heldUntil(event, event.heldUntil));
      else queue.add(event);
    if (held.length > 0) conclude(held);
  };

  return {
    size: (): number => claimed.size,
    waiting: queue.readySize,
    take: queue.take,
    /** Reads what is due, about as many as asked for; resolves with whether there may be more. */
    read: async (limit: number): Promise<boolean> => {
      const asked = { accountId, claimed: [...claimed], limit };
      const own = await readDueEvents(db, asked);
      for (const { id } of own) claimed.add(id);
      add(own);
      if (own.length === limit) return true;
      const { chunks, more } = await readDueChunks(db, { ...asked, claimed: [...claimed] });
      for (const { chunk, events } of chunks) {
        claimed.add(chunk.id);
        const opened = { chunk, left: events.length, delivered: [] };
        open.set(chunk.id, opened);
        if (events.length === 0) closeChunk(opened);
        else add(events);
      }
      return more;
    },
    settle: (given: Outcome[], health: Health): void => {
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
      claimed.clear();
    },
  };
};
