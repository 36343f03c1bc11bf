import { isDeviceId } from '../../../../contract/fleet/devices.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import {
  type Choice,
  type Chooser,
  type RoutedMessage,
  type Routing,
  unitCost,
} from '../../routing/index.ts';
import { findSessionLanes } from '../incoming/session-store.ts';
import { type DueMessage, type DuePlace, lockDueMessages, routeDue } from './due-store.ts';
import { readRecipientFacts } from './recipient-facts.ts';

export const RELEASE_DUE = 'outbox.release-due';
/** Of some hundred messages each. */
const CHUNKS = 20;

export interface ReleaseDeps {
  db: Db;
  routing: Routing;
  /** Wakes the workers that serve these lanes when the transaction commits. */
  wake: (trx: Db, laneIds: number[]) => Promise<void>;
}

type Due = DueMessage &
  RoutedMessage & {
    /** The lanes by which the recipient may get free text now; the lane that they last wrote to comes first. */
    sessionLanes: number[];
  };

/** Free text goes by the number that the customer wrote to: by another one of ours WhatsApp would refuse it. */
const inConversation = (chooser: Chooser, message: Due): Choice | undefined => {
  if (message.sessionLanes.length === 0) return undefined;
  const { lane } = chooser.peek(message);
  // A device keeps its messages, wherever the customer wrote to.
  if (lane.sessionHours === null || lane.device !== null) return undefined;
  const written = message.sessionLanes.includes(lane.id)
    ? lane
    : message.sessionLanes
        .map(chooser.lane)
        .find((one) => one?.mode === 'on' && one.device === null && one.simulated === message.test);
  return (
    written && { lane: written, why: 'CONVERSATION', unitCostMicros: unitCost(written, message.country) }
  );
};

/** Undefined: no lane may have the message now, so it stays where it is. */
const choiceFor = (chooser: Chooser, message: Due): Choice | undefined => {
  try {
    return inConversation(chooser, message) ?? chooser.choose(message);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
};

/** A device that was deleted leaves its messages where they are: its room moves or cancels them. */
const deviceOf = ({ from }: DueMessage): Pick<RoutedMessage, 'device' | 'from'> =>
  from && isDeviceId(from) ? { device: from, from: null } : {};

const routed = (chooser: Chooser, message: Due) => {
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
    : readRecipientFacts(
        trx,
        met.flatMap(({ recipient }) => recipient ?? []),
      );
};

const sessionLanesOf = async (trx: Db, due: DueMessage[]) => {
  const nameOf = (accountId: string, customer: string | null) => `${accountId} ${customer}`;
  const customers = due.flatMap(({ isFreeText, accountId, recipient }) =>
    isFreeText && recipient !== null ? [{ accountId, customer: recipient }] : [],
  );
  const open = Map.groupBy(
    customers.length > 0 ? await findSessionLanes(trx, customers) : [],
    ({ accountId, customer }) => nameOf(accountId, customer),
  );
  return ({ isFreeText, accountId, recipient }: DueMessage): number[] =>
    isFreeText ? (open.get(nameOf(accountId, recipient)) ?? []).map(({ laneId }) => laneId) : [];
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
      const due = await lockDueMessages(trx, { after, chunks: CHUNKS });
      const of = await knownOf(trx, chooser, due);
      const lanesOf = await sessionLanesOf(trx, due);
      const known = due.map((message) => ({
        ...message,
        ...deviceOf(message),
        ...of(message.recipient ?? ''),
        sessionLanes: lanesOf(message),
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
