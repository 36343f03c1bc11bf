import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  frame,
  inboundValue,
  sign,
  statusPart,
} from '../../../test/emulators/graph-api/graph-api-webhooks.ts';
import { startWebhookServer } from '../../../test/webhooks/webhook-server.ts';
import type { Inbound, Receipt } from '../../traffic/lanes/index.ts';
import { cloudWebhook } from './index.ts';
import { numberOf } from './phone-number.ts';

const APP_SECRET = 'app-secret';
const VERIFY_TOKEN = 'verify token/+';
const NUMBER = { waba: '1022', phoneNumberId: '106', displayNumber: '15550783881' };
const told: { lane: string; receipts?: Receipt[]; inbound?: Inbound[] }[] = [];
const warnings: string[] = [];
let away = false;

let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  const store = async (one: (typeof told)[number]) => {
    if (away) throw new Error('the store is away');
    if ((one.receipts ?? one.inbound ?? []).length > 0) told.push(one);
  };
  server = await startWebhookServer(
    [
      cloudWebhook({
        appSecret: APP_SECRET,
        verifyToken: VERIFY_TOKEN,
        lanes: new Map([['106', 'lane']]),
        log: { warn: (_, text) => warnings.push(text) },
      }),
    ],
    {
      receipts: (lane, receipts) => store({ lane, receipts }),
      inbound: (lane, inbound) => store({ lane, inbound }),
    },
  );
});
afterAll(() => server.close());

const post = async (body: string | Uint8Array, headers: Record<string, string>): Promise<number> => {
  const answer = await fetch(`${server.url}/whatsapp`, {
    method: 'POST',
    headers,
    body: new Uint8Array(Buffer.from(body)),
  });
  return answer.status;
};
const deliver = (payload: object): Promise<number> => {
  const body = JSON.stringify(payload);
  return post(body, { 'content-type': 'application/json', 'x-hub-signature-256': sign(body, APP_SECRET) });
};
const lastTold = async (value: object): Promise<(typeof told)[number] | undefined> => {
  const before = told.length;
  expect(await deliver(frame(NUMBER, value))).toBe(200);
  return told.slice(before).at(-1);
};

describe('verification', () => {
  const ask = async (query: Record<string, string>) => {
    const answer = await fetch(`${server.url}/whatsapp?${new URLSearchParams(query)}`);
    return [answer.status, await answer.text()];
  };
  const good = { 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN, 'hub.challenge': '1158201444' };

  test('the challenge comes back to who knows the token, as plain text', async () => {
    expect(await ask(good)).toEqual([200, '1158201444']);
    expect(await ask({ ...good, 'hub.challenge': '<script>alert(1)</script>' })).toEqual([
      200,
      '<script>alert(1)</script>',
    ]);
    const answer = await fetch(`${server.url}/whatsapp?${new URLSearchParams(good)}`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  });
  test.each([{ 'hub.verify_token': 'wrong' }, { 'hub.verify_token': '' }, { 'hub.mode': 'unsubscribe' }])(
    'not to %o',
    async (rest) => {
      expect(await ask({ ...good, ...rest })).toEqual([403, '']);
    },
  );
  test('nor to a call without anything', async () => {
    expect(await ask({})).toEqual([403, '']);
  });
});

describe('signature', () => {
  const body = JSON.stringify(
    frame(NUMBER, { statuses: [statusPart({ id: 'w', status: 'read', to: '1' })] }),
  );
  const right = sign(body, APP_SECRET);
  test.each([
    ['none', {}],
    ['an empty one', { 'x-hub-signature-256': '' }],
    ['of another secret', { 'x-hub-signature-256': sign(body, 'other') }],
    ['of another body', { 'x-hub-signature-256': sign(`${body} `, APP_SECRET) }],
    ['without its name', { 'x-hub-signature-256': right.slice(7) }],
    ['cut short', { 'x-hub-signature-256': right.slice(0, -2) }],
    ['in capital letters', { 'x-hub-signature-256': right.toUpperCase() }],
    ['of the old kind', { 'x-hub-signature': 'sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
  ])('%s is answered with 401, and nothing is stored', async (_, headers) => {
    const before = told.length;
    expect(
      await post(body, { 'content-type': 'application/json', ...(headers as Record<string, string>) }),
    ).toBe(401);
    expect(told).toHaveLength(before);
  });

  test('it is made over the bytes, whatever they are', async () => {
    for (const odd of [Buffer.from([0xff, 0xfe, 0]), Buffer.from('{"entry":'), Buffer.alloc(0)])
      expect(
        await post(odd, {
          'x-hub-signature-256': sign(odd.toString('latin1'), 'x'),
          'content-type': 'text/x-odd',
        }),
      ).toBe(401);
    const text = '{"object":"\\u00e9",  "entry":[]}';
    expect(await post(text, { 'x-hub-signature-256': sign(text, APP_SECRET) })).toBe(200);
  });

  test('signed nonsense is refused or ignored, never an error of ours', async () => {
    for (const [text, status] of [
      ['no json', 400],
      ['null', 200],
      ['[]', 200],
      ['{"entry":7}', 200],
      [
        '{"entry":[null,{"changes":[null,{"field":"messages"},{"field":"messages","value":{"messages":[{}, 5]}}]}]}',
        200,
      ],
      [
        '{"entry":[{"changes":[{"field":"message_template_status_update","value":{"event":"APPROVED"}}]}]}',
        200,
      ],
    ] as const)
      expect([text, await post(text, { 'x-hub-signature-256': sign(text, APP_SECRET) })]).toEqual([
        text,
        status,
      ]);
  });

  test('a body beyond all measure is refused', async () => {
    expect(await post('x'.repeat(5 * 1024 * 1024), { 'content-type': 'application/json' })).toBe(413);
  });
});

test('it is answered with 200 only when it is stored', async () => {
  away = true;
  const payload = frame(NUMBER, { statuses: [statusPart({ id: 'w1', status: 'delivered', to: '1' })] });
  expect(await deliver(payload)).toBe(500);
  away = false;
  expect(await deliver(payload)).toBe(200);
});

test('a number that is not ours is told in the log and taken, so that it is not sent for days', async () => {
  const before = told.length;
  expect(await deliver(frame({ ...NUMBER, phoneNumberId: '999' }, { statuses: [] }))).toBe(200);
  expect(told).toHaveLength(before);
  expect(warnings.at(-1)).toContain('not ours');
});

describe('statuses', () => {
  const id = '018f2f3a-0000-7000-8000-000000000001';
  test.each([
    ['sent', 'enroute'],
    ['delivered', 'delivered'],
    ['read', 'read'],
  ] as const)('%s', async (status, state) => {
    expect(
      await lastTold({
        statuses: [
          statusPart({
            id: 'wamid.1',
            status,
            to: '85261112222',
            timestamp: 1_750_857_384,
            callbackData: id,
          }),
        ],
      }),
    ).toEqual({
      lane: 'lane',
      receipts: [
        {
          providerMessageId: 'wamid.1',
          state,
          at: new Date(1_750_857_384_000),
          code: '',
          messageId: id,
          recipient: '+85261112222',
        },
      ],
    });
  });

  test.each([
    [131047, 'E_NO_SESSION'],
    [131026, 'E_RECIPIENT:131026'],
    [131049, 'E_NOT_DELIVERED:131049'],
    [131053, 'E_MEDIA:131053'],
    [777, 'E_NOT_DELIVERED:777'],
  ])('failed with %i is %s', async (errorCode, code) => {
    const one = await lastTold({
      statuses: [statusPart({ id: 'wamid.2', status: 'failed', to: '1', errorCode })],
    });
    expect(one?.receipts).toMatchObject([{ state: 'failed', code }]);
  });

  test('a foreign mark of ours, a time that is none and an unknown status do no harm', async () => {
    const part = statusPart({ id: 'wamid.3', status: 'read', to: '1', callbackData: "x'); drop" });
    const one = await lastTold({
      statuses: [
        { ...part, timestamp: 'soon' },
        { ...part, status: 'deleted' },
      ],
    });
    expect(one?.receipts).toHaveLength(1);
    expect(one?.receipts?.[0]).not.toHaveProperty('messageId');
  });
});

describe('what customers write', () => {
  const media = { id: '1003383421387256', mime_type: 'image/jpeg', sha256: 'SfInY0=' };
  test.each([
    ['text', { text: { body: 'Hi 你好' } }, 'Hi 你好', {}],
    [
      'image',
      { image: { ...media, caption: 'Look' } },
      'Look',
      { kind: 'image', media: { kind: 'image', id: media.id, mimeType: 'image/jpeg' } },
    ],
    [
      'video',
      { video: { ...media, mime_type: 'video/mp4' } },
      '',
      { kind: 'video', media: { kind: 'video' } },
    ],
    [
      'audio',
      { audio: { ...media, mime_type: 'audio/ogg; codecs=opus', voice: true } },
      '',
      { media: { kind: 'audio' } },
    ],
    [
      'sticker',
      { sticker: { ...media, mime_type: 'image/webp', animated: false } },
      '',
      { media: { kind: 'sticker' } },
    ],
    [
      'document',
      { document: { ...media, filename: 'bill.pdf', caption: 'Bill' } },
      'Bill',
      { media: { kind: 'file', fileName: 'bill.pdf' } },
    ],
    [
      'location',
      { location: { latitude: 22.28, longitude: 114.15, name: 'Pier', address: 'Central' } },
      'Pier\nCentral\n22.28, 114.15',
      { kind: 'location', location: { latitude: 22.28, longitude: 114.15 } },
    ],
    [
      'contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'B', first_name: 'B' },
            phones: [{ phone: '+85262223333', wa_id: '85262223333', type: 'CELL' }],
          },
        ],
      },
      'B +85262223333',
      { kind: 'contacts', contacts: [{ name: 'B', phones: ['+85262223333'] }] },
    ],
    [
      'button',
      { button: { text: 'STOP', payload: 'stop-1' } },
      'STOP',
      { kind: 'button', payload: 'stop-1' },
    ],
    [
      'interactive',
      { interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
      'Yes',
      { payload: 'yes' },
    ],
    [
      'interactive',
      { interactive: { type: 'list_reply', list_reply: { id: 'a', title: 'A', description: 'd' } } },
      'A',
      { payload: 'a' },
    ],
    [
      'interactive',
      {
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' },
        },
      },
      'Sent',
      { payload: '{"a":1}' },
    ],
    [
      'reaction',
      { reaction: { message_id: 'wamid.9', emoji: '👍' } },
      '👍',
      { kind: 'reaction', reaction: { to: 'wamid.9', emoji: '👍' } },
    ],
    ['reaction', { reaction: { message_id: 'wamid.9' } }, '', { reaction: { to: 'wamid.9', emoji: '' } }],
    [
      'unsupported',
      { errors: [{ code: 131051, title: 'Message type unknown' }], unsupported: { type: 'poll_creation' } },
      '',
      { kind: 'unsupported' },
    ],
    ['something_new', { something_new: { a: 1 } }, '', { kind: 'unsupported' }],
    ['constructor', {}, '', { kind: 'unsupported' }],
  ])('%s', async (type, parts, text, content) => {
    const one = await lastTold(inboundValue('85261112222', { id: 'wamid.4', type, ...parts }));
    expect(one?.inbound).toMatchObject([
      {
        providerMessageId: 'wamid.4',
        from: '+85261112222',
        to: '+15550783881',
        text,
        content: { ...content, senderName: 'A Customer' },
      },
    ]);
  });

  test('an answer tells what it answers', async () => {
    const context = { from: '15550783881', id: 'wamid.of-ours' };
    const one = await lastTold(
      inboundValue('1', { id: 'wamid.5', type: 'text', text: { body: 'ok' }, context }),
    );
    expect(one?.inbound?.[0]?.content).toMatchObject({ quotedMessage: 'wamid.of-ours' });
  });

  test('a time that has not come yet is now', async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000) + 90_000);
    const one = await lastTold(
      inboundValue('1', { id: 'wamid.6', type: 'text', text: { body: 'ok' }, timestamp }),
    );
    expect(one?.inbound?.[0]?.at.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

test.each([
  ['85261112222', '+85261112222'],
  ['5215512345678', '+525512345678'],
  ['525512345678', '+525512345678'],
  ['551187654321', '+5511987654321'],
  ['5511987654321', '+5511987654321'],
  ['551132345678', '+551132345678'],
  ['5491123456789', '+5491123456789'],
])('the WhatsApp id %s is the number %s', (waId, number) => {
  expect(numberOf(waId)).toBe(number);
});
