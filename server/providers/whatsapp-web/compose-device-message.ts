import type { FetchFile } from '../../fleet/devices/driver.ts';
import type { Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import type { SessionMessage } from './protocol.ts';

/** Larger ones are refused: the page and its process would need several times as much. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
/** With what WhatsApp Web may take to answer, less than a lane waits. */
const FETCH_MS = 20_000;

const refused = (code: string, reason: string, retryable = false): SendOutcome => ({
  outcome: 'refused',
  code,
  reason,
  retryable,
});
const NO_TEMPLATES = refused('DEVICE_NO_TEMPLATES', 'A device has no templates: only business numbers do.');

/** The last part of its address. */
const nameIn = (url: string): string => {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last).replace(/[\p{Cc}/\\]/gu, '_');
  } catch {
    return last;
  }
};

const KINDS = ['image', 'video', 'file'] as const;

/** What the process of a device is given to send, with its file; or why that can't be sent. */
export const composeDeviceMessage = async (
  { recipient, text, content }: Outgoing,
  fetchFile: FetchFile,
): Promise<{ message: SessionMessage } | { refusal: SendOutcome }> => {
  const { template, fileName, quotedMessage } = content ?? {};
  if (template) return { refusal: NO_TEMPLATES };
  const kind = KINDS.find((one) => content?.[one] !== undefined);
  const url = kind && content?.[kind];
  if (url === undefined) return { message: { recipient, text, quotedMessage, file: undefined } };
  const fetched = await fetchFile(url, { mostBytes: MOST_FILE_BYTES, timeoutMs: FETCH_MS });
  if ('fault' in fetched)
    return {
      refusal: refused('DEVICE_FILE_NOT_FETCHED', `The ${kind}: ${fetched.fault}`, fetched.retryable),
    };
  const { bytes, mimeType } = fetched;
  // WhatsApp Web would show what its type says, whatever the message says.
  if (kind !== 'file' && !mimeType.startsWith(`${kind}/`))
    return { refusal: refused('DEVICE_FILE_TYPE', `The address of the ${kind} has ${mimeType}.`) };
  const file = {
    bytes,
    mimeType,
    fileName: fileName ?? (nameIn(url) || 'file'),
    asDocument: kind === 'file',
  };
  return { message: { recipient, text, quotedMessage, file } };
};
