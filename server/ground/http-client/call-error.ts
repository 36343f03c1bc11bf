export class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
}

/** undici's own codes, as Node names them. */
const CODES: Record<string, string> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
};

const codeOf = ({ name, code = '' }: NodeJS.ErrnoException): string | undefined =>
  name === 'HTTPParserError' && !code ? 'HPE_INVALID' : CODES[code];

/** Gives an error Node's own code, so that callers do not depend on undici. */
export const withPlainCode = (error: NodeJS.ErrnoException): NodeJS.ErrnoException => {
  const code = codeOf(error);
  return code === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code });
};

export const describeError = (error: NodeJS.ErrnoException): string =>
  error instanceof TimedOut || !error.code || error.code.startsWith('UND_') ? error.message : error.code;
