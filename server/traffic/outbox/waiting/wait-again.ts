import type { Db } from '../../../ground/postgres/index.ts';
import { cancelUnwanted } from '../cancelling/cancel-store.ts';
import { refundFailed } from '../results/refund-failed.ts';
import { putIntoChunks } from './chunk-store.ts';

/**
 * Messages that certainly were not sent wait again. One whose batch was cancelled or whose recipient has opted out
 * meanwhile is cancelled and refunded: what looked for waiting messages at that time did not find it.
 */
export const waitAgain = async (trx: Db, messages: { id: string; createdAt: string }[]): Promise<void> => {
  await refundFailed(trx, await cancelUnwanted(trx, messages));
  await putIntoChunks(trx, messages);
};
