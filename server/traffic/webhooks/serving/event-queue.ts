import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { DueEvent } from '../events/due-event.ts';

/**
 * Events that wait to be sent. Those of one message keep their order: while one is in flight, the next ones stand
 * behind it, unless they are in the same call.
 */
export const openEventQueue = () => {
  let ready: DueEvent[] = [];
  /** For each message with an event that is ready or in flight, the events behind it. */
  const behind = new Map<MessageId, DueEvent[]>();
  /** The number of events in flight, by message. */
  const inFlight = new Map<MessageId, number>();

  const fly = (event: DueEvent): void => {
    if (event.messageId) inFlight.set(event.messageId, (inFlight.get(event.messageId) ?? 0) + 1);
  };
  /** Returns whether it was the last of its message in flight. */
  const land = (messageId: MessageId): boolean => {
    const left = (inFlight.get(messageId) ?? 1) - 1;
    if (left > 0) inFlight.set(messageId, left);
    else inFlight.delete(messageId);
    return left <= 0;
  };

  return {
    readySize: (): number => ready.length,
    add: (event: DueEvent): void => {
      const line = event.messageId && behind.get(event.messageId);
      if (line) line.push(event);
      else {
        if (event.messageId) behind.set(event.messageId, []);
        ready.push(event);
      }
    },
    /** The next events for a call, in order; those of a call that failed stay together. */
    take: (limit: number): DueEvent[] => {
      let end = 1;
      while (end < limit && end < ready.length && ready[end]?.failedCall === ready[0]?.failedCall) end += 1;
      const taken = ready.splice(0, end);
      for (const event of taken) {
        fly(event);
        const line = event.messageId && behind.get(event.messageId);
        // The loop also visits events that were put off; no event waits behind those.
        while (line?.[0]?.failedCall === event.failedCall && taken.length < limit)
          taken.push(line.shift() as DueEvent);
      }
      return taken;
    },
    /** The event has its answer: the next of its message may go. */
    settled: ({ messageId }: DueEvent): void => {
      if (!messageId || !land(messageId)) return;
      const next = behind.get(messageId)?.shift();
      if (next) ready.push(next);
      else behind.delete(messageId);
    },
    /** The event is tried again later: returns those that have to wait for it. */
    putOff: ({ messageId }: DueEvent): DueEvent[] => {
      if (!messageId) return [];
      const line = behind.get(messageId)?.splice(0) ?? [];
      if (land(messageId)) behind.delete(messageId);
      return line;
    },
    /** Forgets what is not in flight. */
    clear: (): void => {
      ready = [];
      behind.clear();
    },
  };
};
