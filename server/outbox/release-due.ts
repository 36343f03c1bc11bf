import { isDeviceId } from '../../contract/devices.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Choice, Chooser, RoutedMessage, Routing } from '../routing/index.ts';
import { type DueMessage, type DuePlace, routeDue, takeDue } from './due-store.ts';
import { knowRecipients } from './know-recipients.ts';

export const RELEASE_DUE = 'messages.release-due';
/** Of some hundred messages each. */
const CHUNKS = 20;

export interface ReleaseDeps {
  db: Db;
  routing: Routing;
  /** Wakes the workers that serve these lanes when the transaction commits. */
  wake: (trx: Db, laneIds: number[]) => Promise<void>;
}

/** Undefined: none may have it now, and it stays where it is. */
const choiceFor = (chooser: Chooser, message: DueMessage & RoutedMessage): Choice | undefined => {
  try {
    return chooser.choose(message);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
};

/** A device that was deleted leaves its messages where they are: its room moves or cancels them. */
const deviceOf = ({ from }: DueMessage): Pick<RoutedMessage, 'device' | 'from'> =>
  from && isDeviceId(from) ? { device: from, from: null } : {};

const routed = (chooser: Chooser, message: DueMessage & RoutedMessage) => {
  const choice = message.id === null ? undefined : choiceFor(chooser, message);
  return {
    chunkId: message.chunkId,
    id: message.id,
    laneId: choice?.lane.id ?? null,
    laneWhy: choice?.why ?? null,
    costMicros: (choice?.unitCostMicros ?? 0n) * BigInt(message.segments ?? 0),
  };
};

/** What is known of these people, where a phone may get a message. */
const knownOf = async (trx: Db, chooser: Chooser, due: DueMessage[]) => {
  const met = due.filter((message) => chooser.phonesMatter(message));
  return met.length === 0
    ? () => ({})
    : knowRecipients(
        trx,
        met.flatMap(({ recipient }) => recipient ?? []),
      );
};

/** Chunks in which every message stays are not touched. */
const movingOf = (messages: ReturnType<typeof routed>[]) => {
  const stuck = (some: typeof messages) => some.every(({ id, laneId }) => id !== null && laneId === null);
  return [...Map.groupBy(messages, ({ chunkId }) => chunkId).values()].filter((some) => !stuck(some)).flat();
};

/** Puts scheduled messages that are due into lanes, a few chunks at a time, so that the first are sent immediately. */
export const releaseDue = async ({ db, routing, wake }: ReleaseDeps): Promise<number> => {
  let released = 0;
  for (let after: DuePlace | undefined; ; ) {
    const chooser = await routing();
    const { last, laneIds } = await db.transaction().execute(async (trx) => {
      const due = await takeDue(trx, { after, chunks: CHUNKS });
      const of = await knownOf(trx, chooser, due);
      const known = due.map((message) => ({
        ...message,
        ...deviceOf(message),
        ...of(message.recipient ?? ''),
      }));
      const moving = movingOf(known.map((message) => routed(chooser, message)));
      const found = moving.length > 0 ? await routeDue(trx, moving) : [];
      if (found.length > 0) await wake(trx, [...new Set(found)]);
      return { last: due.at(-1), laneIds: found };
    });
    released += laneIds.length;
    if (!last) return released;
    after = last;
  }
};
