import { useEffect, useRef, useState } from 'react';
import type { Upload } from '../../contract/uploads.ts';
import { ApiError } from '../api/api-error.ts';
import { idempotencyKey } from '../api/idempotency-key.ts';
import { upload } from '../api/upload.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure } from '../ui/toast.ts';
import type { UploadRequest } from './draft.ts';

const formOf = ({ file, fields }: UploadRequest): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', file);
  return form;
};

/** A file that was changed or moved since it was chosen fails like a connection that is cut. */
const wordsFor = async (error: unknown, file: File): Promise<string> => {
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
  /** How much has gone out, from 0 to 1; then it is being checked. */
  share: number;
}

/** Has a file checked. It goes on while the page is open, and can be called off. */
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

  /** A file that was sent within the hour is known again, unless it is meant to be sent once more. */
  const begin = async (request: UploadRequest, { again }: { again: boolean } = { again: false }) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const { channel, file } = request;
    setLast(request);
    setFailure(undefined);
    setUploading({ fileName: file.name, share: 0 });
    try {
      const checked = await upload({
        path: '/:channel/csvPreflight',
        params: { channel },
        form: formOf(request),
        headers: again ? { 'idempotency-key': idempotencyKey() } : {},
        signal: own.signal,
        onProgress: (share) => running.current === own && setUploading({ fileName: file.name, share }),
      });
      if (running.current === own) await onChecked(checked);
    } catch (error) {
      if (running.current !== own) return;
      const message = await wordsFor(error, file);
      setFailure(message);
      toastFailure(message);
    } finally {
      if (running.current === own) cancel();
    }
  };

  return { uploading, failure, last, begin, cancel };
};
export type UploadFlow = ReturnType<typeof useUpload>;
