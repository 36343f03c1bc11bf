import { sql } from 'kysely';
import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { CHANNELS } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import { listWaiting } from './lot-store.ts';
import { withdraw } from './withdraw.ts';

const CHUNK = 1_000;

const asked = z.object({
  optedOut: z.array(
    z.object({
      accountId: accountParams.shape.accountId,
      channel: z.enum(CHANNELS),
      recipients: z.array(z.string()),
    }),
  ),
});

/**
 * Cancels what still waits for recipients who have opted out, and gives its price back. What is in a worker's hand
 * by then may have gone out. Answers how many were cancelled.
 */
export const cancelOptedOut = async (db: Db, data: unknown): Promise<number> => {
  let cancelled = 0;
  for (const { accountId, channel, recipients } of asked.parse(data).optedOut) {
    const recipient = channel === 'email' ? sql`lower(m.recipient)` : sql`m.recipient`;
    const which = sql`m.channel = ${channel} and ${recipient} = any(${recipients}::text[])`;
    for (;;) {
      const waiting = await listWaiting(db, { accountId, which, limit: CHUNK });
      if (waiting.length === 0) break;
      const ids = waiting.map(({ id }) => id);
      const lotIds = [...new Set(waiting.map(({ lotId }) => lotId))];
      const reason = 'The recipient opted out before it was sent.';
      cancelled += (await withdraw(db, { accountId, lotIds, ids, code: 'E_OPTED_OUT', reason })).count;
    }
  }
  return cancelled;
};
