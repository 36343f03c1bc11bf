import { useEffect, useRef, useState } from 'react';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { csvFormData, type UploadRequest } from '../../ground/api/csv-form.ts';
import { idempotencyKey } from '../../ground/api/idempotency-key.ts';
import { upload } from '../../ground/api/upload.ts';
import { t } from '../../ground/i18n/translate.ts';
import { dropFailure, toastFailure } from '../../ground/ui/feedback/toast.ts';

const SUBJECT = 'upload';

/** A file that was changed or moved since it was chosen fails like a broken connection, so it is read to find out. */
const failureText = async (error: unknown, file: File): Promise<string> => {
  if (error instanceof ApiError && error.status === 0)
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return t('send.csv.unreadable');
    }
  return error instanceof Error ? error.message : String(error);
};

export interface Uploading {
  fileName: string;
  /** The share that was uploaded, from 0 to 1; at 1 the server checks the file. */
  share: number;
}

/** Uploads a file to be checked. The upload goes on while the page is open, and can be cancelled. */
export const useUpload = (onChecked: (checked: Upload) => Promise<void>) => {
  const [uploading, setUploading] = useState<Uploading>();
  const [failure, setFailure] = useState<string>();
  const [last, setLast] = useState<UploadRequest>();
  const running = useRef<AbortController>(undefined);
  const cancel = () => {
    running.current?.abort();
    running.current = undefined;
    setUploading(undefined);
  };
  useEffect(() => () => running.current?.abort(), []);

  /** The server recognises a file that was sent within the hour; `again` asks to send it once more. */
  const begin = async (request: UploadRequest, { again }: { again: boolean } = { again: false }) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const { channel, file } = request;
    setLast(request);
    setFailure(undefined);
    dropFailure(SUBJECT);
    setUploading({ fileName: file.name, share: 0 });
    try {
      const checked = await upload({
        path: '/:channel/csvPreflight',
        params: { channel },
        form: csvFormData(request),
        headers: again ? { 'idempotency-key': idempotencyKey() } : {},
        signal: own.signal,
        onProgress: (share) => running.current === own && setUploading({ fileName: file.name, share }),
      });
      if (running.current === own) await onChecked(checked);
    } catch (error) {
      if (running.current !== own) return;
      const message = await failureText(error, file);
      setFailure(message);
      toastFailure(message, SUBJECT);
    } finally {
      if (running.current === own) cancel();
    }
  };

  return { uploading, failure, last, begin, cancel };
};
export type UploadFlow = ReturnType<typeof useUpload>;
