import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { Batch } from '../../../contract/traffic/batches.ts';
import type { BatchRow } from './store.ts';
import type { Tally } from './tally-store.ts';

export const viewBatch = (batch: BatchRow, tally: Tally, email: string | null): Batch => ({
  _id: batch.id,
  accountId: batch.accountId,
  email,
  channel: batch.channel,
  kind: batch.kind,
  fileName: batch.fileName,
  byPage: batch.byPage,
  test: batch.test,
  createdAt: batch.createdAt.toISOString(),
  sendAt: batch.scheduledAt?.toISOString() ?? null,
  cancelledAt: batch.cancelledAt?.toISOString() ?? null,
  total: batch.accepted,
  price: numberFromMicros(batch.totalMicros),
  cost: numberFromMicros(tally.costMicros),
  counts: {
    PENDING: tally.pending,
    SUCCESS: tally.success,
    FAILED: tally.failed,
    FAILED_WITH_EXCEPTION: tally.unknown,
    CANCELLED: tally.cancelled,
  },
  delivered: tally.delivered,
  countedAt: tally.countedAt.toISOString(),
  secondsLeft: tally.secondsLeft,
});
