import { useRef, useState } from 'react';
import type { Body } from '../../../contract/calls.ts';
import type { Upload, UploadId } from '../../../contract/traffic/uploads.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { type CallFailure, callFailure } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { refreshBalance } from '../../ground/api/refresh-balance.ts';
import { t } from '../../ground/i18n/translate.ts';
import { dropFailure, toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { useHeldButton } from '../../ground/ui/forms/use-held-button.ts';
import { uploadQuery } from './upload-queries.ts';

export type SendBody = Body<'POST /uploads/:uploadId/send'>;

/** A file may have a million rows. */
const SEND_TIMEOUT_MS = 10 * 60_000;

/** Sends or removes a file that was checked. The server sends a file once, however often it is asked. */
export const useCheckedUpload = (
  uploadId: UploadId,
  { onSent, onCancelled }: { onSent: (sent: Upload) => void; onCancelled: () => void },
) => {
  const { held: sending, hold } = useHeldButton();
  const [failure, setFailure] = useState<CallFailure>();
  const ended = useRef(false);
  const reread = () => queryClient.invalidateQueries(uploadQuery(uploadId));

  const fail = (error: unknown) => {
    const found = callFailure(error);
    setFailure(found);
    toastFailure(found.message, uploadId);
    void reread();
  };

  const send = async (body: SendBody) => {
    const release = hold();
    setFailure(undefined);
    dropFailure(uploadId);
    try {
      const sent = await call('POST /uploads/:uploadId/send', {
        params: { uploadId },
        body,
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
    dropFailure(uploadId);
    try {
      const { message } = await call('DELETE /uploads/:uploadId', { params: { uploadId } });
      toastSuccess(message);
    } catch (error) {
      // A file that is gone already need not be removed.
      if (!(error instanceof ApiError && error.code === 'E_NOT_FOUND')) return fail(error);
    }
    queryClient.removeQueries(uploadQuery(uploadId));
    onCancelled();
  };

  return { sending, failure, send, cancel };
};
