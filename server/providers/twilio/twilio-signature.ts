import { createHmac, timingSafeEqual } from 'node:crypto';

/** The address with its usual port named, which Twilio signs now and then. */
const withPort = (url: string): string => {
  const { protocol, port, host, pathname, search } = new URL(url);
  return port === '' ? `${protocol}//${host}:${protocol === 'https:' ? 443 : 80}${pathname}${search}` : url;
};
const withoutPort = (url: string): string => {
  const without = new URL(url);
  without.port = '';
  return without.toString();
};

/** Over the address and the fields in the order of their names (twilio.com/docs/usage/security). */
export const sign = (authToken: string, url: string, fields: URLSearchParams): string => {
  const names = [...new Set(fields.keys())].sort();
  const told = names.flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value));
  return createHmac('sha1', authToken)
    .update(url + told.join(''), 'utf8')
    .digest('base64');
};

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Whether Twilio made this call. `url` is the whole address that Twilio was given. */
export const isSigned = (
  authToken: string,
  { signature, url, fields }: { signature: string; url: string; fields: URLSearchParams },
): boolean =>
  [...new Set([url, withPort(url), withoutPort(url)])].some((form) =>
    isSame(signature, sign(authToken, form, fields)),
  );
