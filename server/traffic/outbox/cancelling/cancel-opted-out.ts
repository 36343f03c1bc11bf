import { z } from 'zod';
import { accountParams } from '../../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { listWaitingFor } from '../waiting/chunk-store.ts';
import { cancelChunks } from './cancel.ts';
import { OPTED_OUT } from './cancel-store.ts';

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
 * Cancels what still waits for recipients who have opted out, and refunds it. Messages that a worker has claimed by
 * then may have been sent; those that were not are cancelled when they come back. Returns how many were cancelled.
 */
export const cancelOptedOut = async (db: Db, data: unknown): Promise<number> => {
  let cancelled = 0;
  for (const { accountId, channel, recipients } of asked.parse(data).optedOut) {
    for (;;) {
      const waiting = await listWaitingFor(db, { accountId, channel, recipients, limit: CHUNK });
      if (waiting.length === 0) break;
      const ids = waiting.map(({ id }) => id);
      const chunkIds = [...new Set(waiting.map(({ chunkId }) => chunkId))];
      cancelled += (await cancelChunks(db, { accountId, chunkIds, ids, ...OPTED_OUT })).count;
    }
  }
  return cancelled;
};
