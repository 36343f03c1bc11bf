import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookCall } from '../../delivery/index.ts';
import { TOKEN_FIELD } from './callback-url.ts';
import { fill } from './placeholders.ts';
import type { Check } from './template.ts';

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
  const filled = parts.map((part) => Buffer.from(fill(part, values)));
  return Buffer.concat(filled.flatMap((part, at) => (at === 0 ? [part] : [call.body, part])));
};

/** Whether the provider made this call. */
export const isOfProvider = (call: WebhookCall, { check, secrets, publicUrl }: CheckOptions): boolean => {
  if (check.kind === 'token') return isSame(call.query.get(TOKEN_FIELD) ?? '', secrets[check.secret] ?? '');
  if (check.kind === 'header')
    return isSame(
      headerOf(call, check.header),
      fill(check.value, (name) => secrets[name.slice('secret.'.length)]),
    );
  const signature = createHmac(check.hash, secrets[check.secret] ?? '')
    .update(signedBytes(check.over, call, publicUrl))
    .digest(check.encoding);
  return isSame(headerOf(call, check.header), check.prefix + signature);
};
