import { sql } from 'kysely';
import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { CHANNELS } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import { CHUNK, withdraw } from './withdraw.ts';

const asked = z.object({
  optedOut: z.array(
    z.object({
      accountId: accountParams.shape.accountId,
      channel: z.enum(CHANNELS),
      recipients: z.array(z.string()),
    }),
  ),
});

type OptedOut = z.infer<typeof asked>['optedOut'][number];

/** In the lanes of the channel, or in none yet: what is for later. Asked apart, since each has an index of its own. */
const placesOf = ({ accountId, channel, recipients }: OptedOut) => {
  const recipient = channel === 'email' ? sql`lower(recipient)` : sql`recipient`;
  const theirs = sql`account_id = ${accountId} and channel = ${channel}
    and ${recipient} = any(${recipients}::text[])`;
  return [
    sql`lane_id in (select id from lanes where channel = ${channel}) and ${theirs}`,
    sql`lane_id is null and ${theirs}`,
  ];
};

/**
 * Cancels what still waits for recipients who have opted out, and gives its price back. What is in a worker's hand
 * by then may have gone out. Answers how many were cancelled.
 */
export const cancelOptedOut = async (db: Db, data: unknown): Promise<number> => {
  let cancelled = 0;
  for (const which of asked.parse(data).optedOut.flatMap(placesOf))
    for (;;) {
      const { count } = await withdraw(db, {
        which,
        code: 'E_OPTED_OUT',
        reason: 'The recipient opted out before it was sent.',
        limit: CHUNK,
      });
      cancelled += count;
      if (count < CHUNK) break;
    }
  return cancelled;
};
