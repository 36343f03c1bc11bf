import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from './sign.ts';

/** The example that the Standard Webhooks libraries are tested with. */
const VECTOR = {
  webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('a signature is what the Standard Webhooks libraries make of the same', () => {
  expect(signatureHeaders({ ...VECTOR, secrets: [SECRET] })).toEqual({
    'webhook-id': VECTOR.webhookId,
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
  });
});

test('while two secrets count there is a signature by each', () => {
  const { 'webhook-signature': both } = signatureHeaders({
    ...VECTOR,
    secrets: [newSigningSecret(), SECRET],
  });
  expect(both).toMatch(/^v1,\S{44} v1,\S{44}$/);
  expect(both.split(' ')).toContain(SIGNATURE);
});

test('another id, time or body has another signature', () => {
  for (const change of [{ webhookId: 'msg_2' }, { timestamp: 1 }, { body: '{"test":2432232314}' }])
    expect(signatureHeaders({ ...VECTOR, ...change, secrets: [SECRET] })['webhook-signature']).not.toBe(
      SIGNATURE,
    );
});

test('a new secret has the form that receivers expect', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
});

test('what docs/WEBHOOKS.md shows takes a signed call, and answers false to any other without a throw', async () => {
  const [, code = ''] =
    /```js\n(import[^`]*isGenuine[\s\S]*?)```/.exec(
      readFileSync(new URL('../../../../docs/WEBHOOKS.md', import.meta.url), 'utf8'),
    ) ?? [];
  const { isGenuine } = (await import(
    `data:text/javascript,${encodeURIComponent(`${code}export { isGenuine };`)}`
  )) as { isGenuine: (headers: object, body: string, secret: string) => boolean };
  const { body } = VECTOR;
  const headers = signatureHeaders({
    ...VECTOR,
    timestamp: Math.floor(Date.now() / 1_000),
    secrets: [SECRET],
  });
  expect(isGenuine(headers, body, SECRET)).toBe(true);
  expect(isGenuine(headers, `${body} `, SECRET)).toBe(false);
  for (const name of Object.keys(headers)) {
    const { [name as keyof typeof headers]: _, ...rest } = headers;
    expect(isGenuine(rest, body, SECRET)).toBe(false);
    expect(isGenuine({ ...headers, [name]: 'nonsense' }, body, SECRET)).toBe(false);
  }
  expect(isGenuine({}, body, SECRET)).toBe(false);
});
