import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GraphApi, startGraphApi } from './graph-api.ts';

let graph: GraphApi;
beforeAll(async () => {
  graph = await startGraphApi();
});
afterAll(() => graph.close());
beforeEach(() => {
  graph.behaviour.sessions = 'not-checked';
  graph.behaviour.perSecond = Number.POSITIVE_INFINITY;
});

const ID = '106540352242922';
const post = async (body: unknown, { token = graph.token, path = `v23.0/${ID}/messages` } = {}) => {
  const answer = await fetch(`${graph.url()}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const read = (await answer.json()) as { error?: { code: number }; messages?: { id: string }[] };
  return { http: answer.status, code: read.error?.code, body: read };
};
const text = { messaging_product: 'whatsapp', to: '85261112222', type: 'text', text: { body: 'hello' } };
const image = (value: object) => ({
  messaging_product: 'whatsapp',
  to: '85261112222',
  type: 'image',
  image: value,
});

test('a message that fits is answered as documented', async () => {
  const { http, body } = await post({ ...text, recipient_type: 'individual' });
  expect(http).toBe(200);
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    contacts: [{ input: '85261112222', wa_id: '85261112222' }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  });
});

test.each([
  ['no JSON', 'hello', 100],
  ['nothing', {}, 100],
  ['another product', { ...text, messaging_product: 'sms' }, 100],
  ['no recipient', { ...text, to: undefined }, 131008],
  ['a recipient that is no number', { ...text, to: 'somebody' }, 131009],
  ['a recipient that is too short', { ...text, to: '123' }, 131009],
  ['a number instead of a text', { ...text, to: 85261112222 }, 131009],
  ['an unknown type', { ...text, type: 'fax' }, 131009],
  ['a type without its part', { ...text, type: 'image' }, 131008],
  ['no text', { ...text, text: {} }, 131008],
  ['an empty text', { ...text, text: { body: '' } }, 131009],
  ['a text that is too long', { ...text, text: { body: 'a'.repeat(4_097) } }, 131009],
  ['a key that is unknown', { ...text, urgency: 'high' }, 100],
  ['a key of the text that is unknown', { ...text, text: { body: 'a', colour: 'red' } }, 100],
  ['an image by nothing', image({ caption: 'a' }), 131009],
  ['an image by link and id', image({ link: 'https://example.com/a', id: '1' }), 131009],
  ['an image by a link that is none', image({ link: 'a.jpg' }), 131009],
  [
    'a caption that is too long',
    image({ link: 'https://example.com/a', caption: 'a'.repeat(1_025) }),
    131009,
  ],
  ['a mark that is too long', { ...text, biz_opaque_callback_data: 'a'.repeat(513) }, 131009],
  ['an answer to nothing', { ...text, context: { message_id: 'wamid.x' } }, 131009],
  [
    'a parameter with a line break',
    {
      ...text,
      type: 'template',
      text: undefined,
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'a\nb' },
              { type: 'text', text: 'c' },
            ],
          },
        ],
      },
    },
    100,
  ],
])('%s is refused', async (_, body, code) => {
  const before = graph.taken.length;
  expect(await post(body)).toMatchObject({ http: 400, code });
  expect(graph.taken).toHaveLength(before);
});

test('another token, number and path are refused', async () => {
  expect(await post(text, { token: 'other' })).toMatchObject({ http: 401, code: 190 });
  expect(await post(text, { path: 'v23.0/1/messages' })).toMatchObject({ http: 400, code: 100 });
  expect(await post(text, { path: `${ID}/messages` })).toMatchObject({ http: 400, code: 100 });
});

describe('the 24 hours', () => {
  test('only who wrote lately may be written to freely', async () => {
    graph.behaviour.sessions = 'in-answer';
    expect(await post(text)).toMatchObject({ http: 400, code: 131047 });
    await graph.write('85261112222', { type: 'text', text: { body: 'hi' } });
    expect(await post(text)).toMatchObject({ http: 200 });
    const long = Math.floor(Date.now() / 1_000) - 25 * 3_600;
    await graph.write('85261112222', { type: 'text', text: { body: 'hi' }, timestamp: String(long) });
    expect(await post(text)).toMatchObject({ code: 131047 });
  });
});

test('beyond its messages a second it refuses', async () => {
  graph.behaviour.perSecond = 1;
  const answers = await Promise.all([post(text), post(text), post(text)]);
  expect(answers.filter(({ code }) => code === 130429).length).toBeGreaterThan(0);
});
