import type { EventType } from '../../contract/webhooks.ts';

/** The body, the same at every attempt. */
export const payloadOf = ({
  type,
  createdAt,
  data,
}: {
  type: EventType;
  createdAt: Date;
  data: object;
}): string => JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
