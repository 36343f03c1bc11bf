import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookCall } from '../../traffic/delivery/index.ts';
import { TOKEN_FIELD } from './callback-url.ts';
import { fillPlaceholders, placeholderNames } from './placeholders.ts';
import { type Check, WITHIN_SECONDS } from './template.ts';

/** By their hashes, so that the time reveals nothing, not even the length. */
const isSame = (given: string, wanted: string): boolean => {
  const [left, right] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
};

const headerOf = (call: WebhookCall, name: string): string => {
  const given = call.headers[name];
  return typeof given === 'string' ? given : (given?.join(', ') ?? '');
};

interface CheckOptions {
  check: Check;
  secrets: Record<string, string>;
  publicUrl: string;
}

/** Over bytes: a body need not be text. `{{body}}` stands for them as they came. */
const signedBytes = (over: string, call: WebhookCall, publicUrl: string): Buffer => {
  const parts = over.split(/\{\{\s*body\s*\}\}/);
  const values = (name: string): string =>
    name === 'url' ? publicUrl + call.url : headerOf(call, name.replace(/^header\./, '').toLowerCase());
  const filled = parts.map((part) => Buffer.from(fillPlaceholders(part, values)));
  return Buffer.concat(filled.flatMap((part, at) => (at === 0 ? [part] : [call.body, part])));
};

type Signed = Extract<Check, { kind: 'hmac' }>;

/** Of what is signed, the header with the time: as the template says, or the one whose name says so. */
const timeOf = ({ time, over }: Signed) => {
  if (time) return time;
  const header = placeholderNames(over).find((name) => name.startsWith('header.') && /time|date/i.test(name));
  return header && { header: header.slice('header.'.length).toLowerCase(), withinSeconds: WITHIN_SECONDS };
};

/** Seconds or milliseconds since 1970, or a date as people and HTTP write it. */
const momentOf = (given: string): number => {
  if (!/^\d{1,16}(\.\d{1,9})?$/.test(given)) return Date.parse(given);
  const number = Number(given);
  return number < FIRST_MILLISECONDS ? number * 1_000 : number;
};
/** Seconds reach this in the year 5138, milliseconds have passed it in 1973. */
const FIRST_MILLISECONDS = 1e11;

/** A call that was overheard has the right signature for ever, so its time counts where that is signed too. */
const isInTime = (call: WebhookCall, check: Signed): boolean => {
  const time = timeOf(check);
  return !time || Math.abs(Date.now() - momentOf(headerOf(call, time.header))) <= time.withinSeconds * 1_000;
};

/** Whether the provider made this call, and now. */
export const isOfProvider = (call: WebhookCall, { check, secrets, publicUrl }: CheckOptions): boolean => {
  if (check.kind === 'token') return isSame(call.query.get(TOKEN_FIELD) ?? '', secrets[check.secret] ?? '');
  if (check.kind === 'header')
    return isSame(
      headerOf(call, check.header),
      fillPlaceholders(check.value, (name) => secrets[name.slice('secret.'.length)]),
    );
  const signature = createHmac(check.hash, secrets[check.secret] ?? '')
    .update(signedBytes(check.over, call, publicUrl))
    .digest(check.encoding);
  return isSame(headerOf(call, check.header), check.prefix + signature) && isInTime(call, check);
};
