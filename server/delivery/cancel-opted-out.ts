import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { CHANNELS } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import { refundFailed } from './refund-failed.ts';
import { cancelWaiting } from './store.ts';

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
  for (const one of asked.parse(data).optedOut)
    cancelled += await db.transaction().execute(async (trx) => {
      const messages = await cancelWaiting(trx, one);
      await refundFailed(trx, messages);
      return messages.length;
    });
  return cancelled;
};
