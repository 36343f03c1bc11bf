import type { AnswerFault } from '../../../contract/traffic/webhooks.ts';
import { AddressRefused } from './names.ts';

const NAME = /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_\w+|EBADNAME|ECANCELLED|EBADRESP|ENONAME)$/;
const TLS = /CERT|TLS|SSL|^EPROTO$|UNABLE_TO|^HOSTNAME_MISMATCH$/;

/** Why nothing came back, and the system's own text. */
export const receiverFault = (error: unknown): { fault: AnswerFault; cause: string } => {
  // Several addresses were tried, and each failed.
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (one instanceof AddressRefused) return { fault: 'ADDRESS', cause: '' };
  const { code = '', name = '' } = one as { code?: string; name?: string };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT' || code === 'ABORT_ERR')
    return { fault: 'TIMEOUT', cause: '' };
  if (NAME.test(code)) return { fault: 'NAME', cause: code };
  if (TLS.test(code)) return { fault: 'TLS', cause: code };
  return { fault: 'CONNECTION', cause: code };
};
