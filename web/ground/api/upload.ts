import type { Upload } from '../../../contract/traffic/uploads.ts';
import { networkFault } from './api-error.ts';
import { callUrl, headersOf, parsed, replyFault } from './call.ts';
import { endSession, storedToken } from './session.ts';

interface UploadOptions {
  path: string;
  params: Record<string, string>;
  /** The fields come before the file, so that the server can refuse before it has read all of the file. */
  form: FormData;
  headers?: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Called with the share that was uploaded, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** A connection that sends nothing for this long is considered dead. The answer itself may take longer. */
const STALLED_MS = 60_000;

/** Sends a form with a file of any size. It uses XMLHttpRequest, because `fetch` does not report upload progress. */
export const upload = <Reply = Upload>({
  path,
  params,
  form,
  headers = {},
  signal,
  onProgress,
}: UploadOptions) =>
  new Promise<Reply>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const token = storedToken();
    let stalled: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALLED_MS);
    };
    const stop = () => request.abort();
    request.open('POST', callUrl(path, { params }));
    for (const [name, value] of headersOf({ headers }, token)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      watch();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.upload.onload = () => {
      clearTimeout(stalled);
      onProgress(1);
    };
    request.onabort = () => reject(networkFault());
    request.onerror = () => reject(networkFault());
    request.onload = () => {
      const { status } = request;
      const reply = parsed(request.responseText);
      if (status === 401 && token && token === storedToken()) endSession('expired');
      if (status === 200 && reply !== undefined) resolve(reply as Reply);
      else reject(replyFault(status, reply));
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', stop);
    };
    signal.addEventListener('abort', stop);
    watch();
    request.send(form);
  });
