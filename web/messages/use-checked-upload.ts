import { useRef, useState } from 'react';
import type { Upload, UploadId } from '../../contract/uploads.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from '../ui/toast.ts';
import { type Later, laterBody } from './later.ts';
import { refreshBalance, uploadQuery } from './message-queries.ts';
import { useHeldButton } from './use-held-button.ts';
import { isUnknown, type SendFailure } from './use-sending.ts';

/** A million rows take their time. */
const SEND_TIMEOUT_MS = 10 * 60_000;

/** What can be done with a file that was checked. Sending it twice sends it once: the server sees to that. */
export const useCheckedUpload = (
  uploadId: UploadId,
  { onSent, onCancelled }: { onSent: (sent: Upload) => void; onCancelled: () => void },
) => {
  const { held: sending, hold } = useHeldButton();
  const [failure, setFailure] = useState<SendFailure>();
  const ended = useRef(false);
  const reread = () => queryClient.invalidateQueries(uploadQuery(uploadId));

  const fail = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    setFailure({ message, unknown: isUnknown(error) });
    toastFailure(message);
    void reread();
  };

  const send = async (later: Later) => {
    const release = hold();
    setFailure(undefined);
    try {
      const sent = await call('POST /uploads/:uploadId/send', {
        params: { uploadId },
        body: laterBody(later),
        timeoutMs: SEND_TIMEOUT_MS,
      });
      if (ended.current) return;
      ended.current = true;
      toastSuccess(t('send.sent'));
      onSent(sent);
    } catch (error) {
      if (!ended.current) fail(error);
    } finally {
      release();
      refreshBalance();
    }
  };

  const cancel = async () => {
    setFailure(undefined);
    try {
      const { message } = await call('DELETE /uploads/:uploadId', { params: { uploadId } });
      toastSuccess(message);
    } catch (error) {
      // One that is gone already need not be removed.
      if (!(error instanceof ApiError && error.code === 'E_NOT_FOUND')) return fail(error);
    }
    queryClient.removeQueries(uploadQuery(uploadId));
    onCancelled();
  };

  return { sending, failure, send, cancel };
};
