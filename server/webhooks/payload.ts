import type { DueEvent } from './due-event.ts';

/** The body, the same at every attempt. */
export const payloadOf = ({ type, createdAt, data }: Pick<DueEvent, 'type' | 'createdAt' | 'data'>): string =>
  `{"type":"${type}","timestamp":"${createdAt.toISOString()}","data":${data}}`;
