import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDevicesDeps } from '../../test/devices.ts';
import { openTestMessages } from '../../test/messages.ts';
import { openTestPhones } from '../../test/phones.ts';
import { readConfig } from '../config.ts';
import { adminDeviceRoutes, type DevicesDeps } from '../fleet/devices/index.ts';
import type { Receiver, WebhookCall } from '../traffic/delivery/index.ts';
import type { ServableLane } from '../traffic/lanes/index.ts';
import { makeLane } from '../traffic/lanes/testing/index.ts';
import { laneProviders } from './lane-providers.ts';
import { openMadeLanes } from './made-lanes.ts';

const PUBLIC_URL = 'https://sms.example.com';
const TOKEN = 'a-token-of-twilio';
const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: TOKEN,
  TWILIO_FROM: '+15005550006',
};
const CLOUD = {
  WHATSAPP_CLOUD_PHONE_NUMBER_ID: '4711',
  WHATSAPP_CLOUD_TOKEN: 'a-token-of-meta',
  WHATSAPP_CLOUD_APP_SECRET: 'an-app-secret',
  WHATSAPP_CLOUD_VERIFY_TOKEN: 'a-verify-token',
  WHATSAPP_CLOUD_WABA_ID: '99',
};
const RELAY = { EMAIL_SMTP_URL: 'smtp://mail.example.com', EMAIL_FROM: 'news@example.com' };

let room: Awaited<ReturnType<typeof openTestMessages>>;
let made: ReturnType<typeof openMadeLanes>;
let devices: DevicesDeps;
const heard: unknown[] = [];
const receiver: Receiver = {
  receipts: async (laneName, receipts) => void heard.push({ laneName, receipts }),
  inbound: async (laneName, inbound) => void heard.push({ laneName, inbound }),
};
beforeAll(async () => {
  room = await openTestMessages();
  const key = Buffer.alloc(32, 3);
  const config = readConfig([], { PUBLIC_URL });
  const log = { warn: () => {} } as never;
  const providers = laneProviders(config, { key, publicUrl: PUBLIC_URL, log });
  const deps = {
    db: room.db,
    secretKey: key,
    providers,
    countWaiting: async () => new Map(),
    findUnknownAccount: async () => undefined,
  };
  await makeLane(deps, { name: 'second-twilio', provider: 'twilio', settings: TWILIO });
  await makeLane(deps, { name: 'cloud', provider: 'whatsapp-cloud', settings: CLOUD });
  await expect(
    makeLane(deps, { name: 'bad', provider: 'twilio', settings: { TWILIO_FROM: '+15005550006' } }),
  ).rejects.toMatchObject({ code: 'E_LANE_SETTINGS' });
  // They name where the secrets go, or a file of the machine.
  for (const [provider, settings] of [
    ['twilio', { ...TWILIO, TWILIO_API_BASE: 'http://127.0.0.1:1' }],
    ['whatsapp-cloud', { ...CLOUD, WHATSAPP_CLOUD_API_BASE: 'http://127.0.0.1:1' }],
    ['smtp', { ...RELAY, EMAIL_DKIM_KEY_FILE: '/dev/zero' }],
  ] as const)
    await expect(makeLane(deps, { name: 'bad', provider, settings })).rejects.toMatchObject({
      code: 'E_LANE_SETTINGS',
      params: { fault: expect.stringMatching(/(_API_BASE|_KEY_FILE) can be set in the environment only/) },
    });
  devices = { ...testDevicesDeps(room.db, []), secretKey: key, laneProviders: providers };
  made = openMadeLanes({ db: room.db, key, providers, phones: openTestPhones(room.db).deps, devices });
});
afterAll(() => room.close());

const call = (url: string, fields: Record<string, string> = {}, headers: object = {}): WebhookCall => ({
  method: 'POST',
  url,
  query: new URL(url, PUBLIC_URL).searchParams,
  headers: { ...headers },
  body: Buffer.from(new URLSearchParams(fields).toString()),
});

it('Twilio reports on a lane that an admin made at an address of that lane, signed with its token', async () => {
  const url = '/api/providers/lanes/second-twilio/status';
  const fields = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  const signed = Object.entries(fields).map(([name, value]) => name + value);
  const signature = createHmac('sha1', TOKEN)
    .update(`${PUBLIC_URL}${url}${signed.join('')}`)
    .digest('base64');
  const answer = await made.webhook.handle(call(url, fields, { 'x-twilio-signature': signature }), receiver);
  expect(answer.status).toBe(204);
  expect(heard).toMatchObject([{ laneName: 'second-twilio', receipts: [{ providerMessageId: 'SM1' }] }]);
  expect((await made.webhook.handle(call(url, fields, { 'x-twilio-signature': 'x' }), receiver)).status).toBe(
    403,
  );
});

it("Meta's question about the address is answered with the lane's own token", async () => {
  const ask = (token: string) => {
    const url = `/api/providers/lanes/cloud/whatsapp?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`;
    return made.webhook.handle({ ...call(url), method: 'GET' }, receiver);
  };
  expect(await ask('a-verify-token')).toEqual({ status: 200, body: '42' });
  expect(await ask('another-token')).toEqual({ status: 403 });
  expect(await made.sourceOf('cloud')).toBeDefined();
});

it.each([
  '/api/providers/lanes/nobody/status',
  '/api/providers/lanes/cloud/status',
  '/api/providers/lanes/x%2F/y',
])('nothing answers at %s', async (url) =>
  expect(await made.webhook.handle(call(url), receiver)).toEqual({ status: 404 }),
);

it('a number at the Cloud API becomes a device of one account, with its webhook and the rules of its sessions', async () => {
  const { accountId } = await room.customer();
  const create = adminDeviceRoutes(devices)['POST /admin/devices'];
  const body = { accountId, countryCode: 'HK' as const, phoneNumber: '+852 6123 4567', settings: CLOUD };
  const made1 = await create?.({ body, language: 'en_US', changed: () => {} } as never);
  const deviceId = made1?.deviceId ?? '';
  const { rows } = await sql<ServableLane & { hours: number; dedicated: string[] }>`
    select id, name, provider, source, session_hours as hours, dedicated_to as dedicated, sender from lanes
    where name = ${deviceId}`.execute(room.db);
  expect(rows).toMatchObject([
    {
      source: 'device',
      provider: 'whatsapp-cloud',
      hours: 24,
      dedicated: [accountId],
      sender: '+85261234567',
    },
  ]);
  const carrier = (await made.openCarrier(rows[0] as ServableLane))?.();
  expect(carrier).toMatchObject({ provider: 'whatsapp-cloud', channel: 'whatsapp' });
  const answer = await made.webhook.handle(
    {
      ...call(`/api/providers/lanes/${deviceId}/whatsapp`),
      method: 'GET',
      query: new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': CLOUD.WHATSAPP_CLOUD_VERIFY_TOKEN,
        'hub.challenge': '42',
      }),
    },
    receiver,
  );
  expect(answer).toEqual({ status: 200, body: '42' });
  const bad = { ...body, settings: { WHATSAPP_CLOUD_TOKEN: 'short' } };
  await expect(create?.({ body: bad, language: 'en_US' } as never)).rejects.toMatchObject({
    code: 'E_LANE_SETTINGS',
  });
});
