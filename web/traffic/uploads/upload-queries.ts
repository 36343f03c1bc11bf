import { queryOptions } from '@tanstack/react-query';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { FOREVER, watchQuery } from '../../ground/api/watch-query.ts';

export type UploadedBatch = Answer<'GET /batches/:batchId'>;

/** What was found in a file. The answer includes the balance, which may change at any time. */
export const uploadQuery = (uploadId: UploadId) =>
  queryOptions({
    queryKey: ['upload', uploadId],
    queryFn: () => call('GET /uploads/:uploadId', { params: { uploadId } }),
    staleTime: 0,
  });

/** A carrier may still report a failure of a message that it accepted: polling ends after this many unchanged answers. */
const LAST_LOOKS = 4;

export const isFinal = (progress: UploadedBatch | undefined): boolean => progress?.counts.PENDING === 0;

export const uploadedBatchQuery = (batchId: BatchId) =>
  watchQuery({
    queryKey: ['batch', batchId],
    read: () => call('GET /batches/:batchId', { params: { batchId } }),
    pollForMs: (progress) => (isFinal(progress) ? LAST_LOOKS : FOREVER),
  });
