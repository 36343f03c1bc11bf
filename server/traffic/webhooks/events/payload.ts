import { createHash } from 'node:crypto';
import { webhookIdOf } from '../serving/sign.ts';
import type { DueEvent } from './due-event.ts';

type Told = Pick<DueEvent, 'type' | 'createdAt' | 'data'>;

const factsOf = ({ type, createdAt, data }: Told): string =>
  `"type":"${type}","timestamp":"${createdAt.toISOString()}","data":${data}}`;

/** The body of an event that is sent alone, the same at every attempt. */
export const payloadOf = (event: Told): string => `{${factsOf(event)}`;

/**
 * What one call sends, and its id. The id of an array is that of exactly these events: a receiver that ignores ids it
 * has seen never ignores an event that it has not.
 */
export const callOf = (events: DueEvent[], { asArray }: { asArray: boolean }) => {
  const [first] = events as [DueEvent];
  if (!asArray) return { webhookId: webhookIdOf(first.id), body: payloadOf(first) };
  const ids = events.map(({ id }) => webhookIdOf(id));
  return {
    webhookId: `call_${createHash('sha256').update(ids.toSorted().join()).digest('hex').slice(0, 32)}`,
    body: `[${events.map((event, at) => `{"id":"${ids[at]}",${factsOf(event)}`).join()}]`,
  };
};
