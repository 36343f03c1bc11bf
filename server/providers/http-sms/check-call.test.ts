import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookCall } from '../../traffic/delivery/index.ts';
import { isOfProvider } from './check-call.ts';
import { templateSchema } from './template.ts';

const SECRET = 'shared';
const BODY = '{"id":"1"}';
const parse = (check: object) =>
  templateSchema.safeParse({
    name: 'one',
    secrets: { signing: SECRET },
    send: { url: 'https://example.com/' },
    answer: {},
    status: {
      check: { kind: 'hmac', header: 'x-signature', secret: 'signing', ...check },
      id: { json: 'id' },
      state: { json: 'state' },
      states: {},
    },
  });
const checkOf = (check: object) => {
  const found = parse(check).data?.status?.check;
  if (!found) throw new Error(JSON.stringify(parse(check).error));
  return found;
};
const TIMED = { over: '{{header.X-Timestamp}}.{{body}}' };

const callAt = (time: string, { header = 'x-timestamp', over = (at: string) => `${at}.${BODY}` } = {}) => {
  const signature = createHmac('sha256', SECRET).update(over(time)).digest('hex');
  const headers = { [header]: time, 'x-signature': signature };
  return {
    url: '/',
    headers,
    body: Buffer.from(BODY),
    query: new URLSearchParams(),
  } as unknown as WebhookCall;
};
const isTaken = (call: WebhookCall, check: object = TIMED): boolean =>
  isOfProvider(call, { check: checkOf(check), secrets: { signing: SECRET }, publicUrl: 'https://ours' });
const ago = (seconds: number): number => Date.now() - seconds * 1_000;

test.each([
  ['seconds', (at: number) => String(Math.floor(at / 1_000))],
  ['milliseconds', (at: number) => String(at)],
  ['a date of ISO', (at: number) => new Date(at).toISOString()],
  ['a date of HTTP', (at: number) => new Date(at).toUTCString()],
])('a call that was overheard is refused after five minutes: signed %s', (_, written) => {
  for (const seconds of [0, 280, -280]) expect(isTaken(callAt(written(ago(seconds))))).toBe(true);
  for (const seconds of [330, -330, 1e6]) expect(isTaken(callAt(written(ago(seconds))))).toBe(false);
});

test('a signed time that is none, or missing, is refused', () => {
  for (const time of ['', 'now', '-1', '99999999999999999999']) expect(isTaken(callAt(time))).toBe(false);
});

test('the template says which header is the time, and how old it may be', () => {
  const check = {
    over: '{{header.x-sent}}.{{body}}',
    time: { header: 'X-Sent', withinSeconds: 60 },
  };
  const sent = (seconds: number) => callAt(new Date(ago(seconds)).toISOString(), { header: 'x-sent' });
  expect(isTaken(sent(30), check)).toBe(true);
  expect(isTaken(sent(90), check)).toBe(false);
  expect(parse({ over: '{{body}}', time: { header: 'x-sent' } }).error?.issues[0]?.message).toBe(
    'x-sent is not signed: name it in "over"',
  );
});

test('where nothing signs a time, the signature alone counts', () => {
  expect(isTaken(callAt('1', { over: () => BODY }), { over: '{{body}}' })).toBe(true);
});
