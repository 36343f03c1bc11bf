import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import type { Phone, PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { replacePrefixes } from '../../traffic/carriers/index.ts';
import { findLaneIds } from '../../traffic/lanes/index.ts';
import { countUsage } from './count-usage.ts';
import { adminPhoneRoutes } from './routes.ts';
import { takeReports, watchHeartbeats } from './run-phones.ts';

let room: Awaited<ReturnType<typeof openTestMessages>>;
let phones: ReturnType<typeof openTestPhones>;
beforeAll(async () => {
  room = await openTestMessages();
  phones = openTestPhones(room.db);
});
afterAll(() => room.close());

type Routes = ReturnType<typeof adminPhoneRoutes>;
const call = <Name extends keyof Routes>(name: Name, input: object = {}) =>
  (adminPhoneRoutes(phones.deps)[name] as (input: object) => Promise<unknown>)({
    query: {},
    changed: () => {},
    ...input,
  });
const inventory = (all = 'true') =>
  call('GET /phoneNumberInventory', { query: { all } }) as Promise<Reply<'GET /phoneNumberInventory'>>;
const find = async (id: PhoneId): Promise<Phone> => {
  const found = (await inventory()).phoneNumberInventory.find(({ _id }) => _id === id);
  if (!found) throw new Error('no such phone');
  return found as Phone;
};
const put = (phoneId: PhoneId, body: PhoneEdit) =>
  call('PUT /phoneNumberInventory/:phoneId', { params: { phoneId }, body });

interface LaneState {
  id: number;
  name: string;
  mode: string;
  method: string;
  up: boolean | null;
  route: string;
  hour: number | null;
}
const lanesOf = async (phoneId: PhoneId): Promise<LaneState[]> => {
  const { rows } = await sql<LaneState>`
    select id, name, mode, method, up, route, throttle_one_hour as hour from lanes where phone_id = ${phoneId}
    order by method`.execute(room.db);
  return rows;
};
const modesOf = async (phoneId: PhoneId) =>
  Object.fromEntries((await lanesOf(phoneId)).map(({ method, mode }) => [method, mode]));
const beat = (phoneId: PhoneId, secondsAgo: number) =>
  sql`update phones set last_heartbeat_at = now() - ${secondsAgo} * interval '1 second' where id = ${phoneId}`.execute(
    room.db,
  );

it('a phone is added by its name, and each field is edited alone', async () => {
  const { _id } = (await call('POST /phoneNumberInventory', {
    body: { name: ' hk-01 ', phoneNumber: '+85261110000' },
  })) as { _id: PhoneId };
  const edits: PhoneEdit[] = [
    { remark: 'on the shelf' },
    { IMSI: '454001234567890' },
    { simHost: 'pi-1.example' },
    { port: '8080' },
    { setting: '{"shared":{"from":9,"to":18},"idealVolume":200,"isTransferAvailable":true}' },
    { transferJobRate: '1.5' },
    { carrierAliases: 'csl, SmarTone ,CSL' },
    { smsActive: true },
    { countOneHour: 30 },
    { estimatedBalance: '48.50' },
    { validityDays: '2' },
    { slot: 'sim 01' },
    { startedAt: '2026-01-02T03:04:05Z' },
  ];
  for (const one of edits) await put(_id, one);
  expect(await find(_id)).toMatchObject({
    name: 'hk-01',
    phoneNumber: '+85261110000',
    remark: 'on the shelf',
    IMSI: '454001234567890',
    simHost: 'pi-1.example',
    port: '8080',
    setting: { shared: { from: 9, to: 18 }, idealVolume: 200, isTransferAvailable: true },
    transferJobRate: 1.5,
    carrierAliases: ['csl', 'smartone'],
    smsActive: true,
    sendSetting: { throttle: { countOneHour: 30, countTenMinute: null } },
    estimatedBalance: 48.5,
    validityDays: 2,
    slot: 'SIM 01',
    startedAt: '2026-01-02T03:04:05.000Z',
    usage: { countNetShared: 0, sentToday: 0, sentTotal: 0 },
  });
  const { hostMap, hostMapv2 } = await inventory();
  expect(hostMap['pi-1.example']).toEqual(['hk-01']);
  expect(hostMapv2['pi-1.example']).toEqual([{ name: 'hk-01', port: '8080', field: 'simHost' }]);
});

it.each([
  [{ setting: '{"idealVolume":"many"}' }, 'E_PHONE_FIELD'],
  [{ setting: 'nonsense' }, 'E_PHONE_FIELD'],
  [{ setting: `{"dedicatedTo":["${randomUUID()}"]}` }, 'E_ACCOUNT_UNKNOWN'],
  [{ estimatedBalance: 'a lot' }, 'E_PHONE_FIELD'],
  [{ transferJobRate: '-1' }, 'E_PHONE_FIELD'],
  [{ validityDays: '1.5' }, 'E_PHONE_FIELD'],
  [{ slot: 'SIM 09' }, 'E_PHONE_FIELD'],
  [{ name: ' ' }, 'E_PHONE_FIELD'],
  [{ name: 'taken' }, 'E_PHONE_EXISTS'],
  [{ phoneNumber: 'rack 7' }, 'E_PHONE_FIELD'],
  [{ phoneNumber: '12345' }, 'E_PHONE_FIELD'],
  [{ simHost: 'pi 1.example' }, 'E_PHONE_FIELD'],
  [{ whatsappHost: 'http://pi-1.example/' }, 'E_PHONE_FIELD'],
  [{ whatsappWebHost: 'pi-1.example:80' }, 'E_PHONE_FIELD'],
  [{ port: '0' }, 'E_PHONE_FIELD'],
  [{ port: '65536' }, 'E_PHONE_FIELD'],
  [{ port: '80 80' }, 'E_PHONE_FIELD'],
  [{ whatsappHostPort: 'http' }, 'E_PHONE_FIELD'],
  [{ carrierAliases: 'csl, nobody' }, 'E_PHONE_FIELD'],
] as [PhoneEdit, string][])('%j is refused and changes nothing', async (edit, code) => {
  await phones.add('taken').catch(() => {});
  const phoneId = await phones.add(randomUUID());
  const before = await find(phoneId);
  await expect(put(phoneId, edit)).rejects.toMatchObject({ code });
  expect(await find(phoneId)).toEqual(before);
});

it('a phone has its number alone, in whichever spelling, until it is given back', async () => {
  const [first, second] = [await phones.add('owner'), await phones.add('other')];
  await put(first, { phoneNumber: '6119 0001' });
  expect((await find(first)).phoneNumber).toBe('+85261190001');
  const taken = {
    code: 'E_PHONE_FIELD',
    params: { fault: { label: 'phones.fault.taken', values: { phone: 'owner' } } },
  };
  await expect(put(second, { phoneNumber: '+852 6119-0001' })).rejects.toMatchObject(taken);
  const add = (name: string, phoneNumber: string) =>
    call('POST /phoneNumberInventory', { body: { name, phoneNumber } });
  await expect(add('third', '+85261190001')).rejects.toMatchObject(taken);
  await expect(add('third', 'none')).rejects.toMatchObject({ code: 'E_PHONE_FIELD' });
  // Its own is no other's.
  await put(first, { phoneNumber: '+852 6119 0001' });
  await put(first, { remark: 'RELEASED' });
  await put(second, { phoneNumber: '+85261190001' });
  await expect(put(first, { remark: 'found again' })).rejects.toMatchObject({
    code: 'E_PHONE_FIELD',
    params: { fault: { values: { phone: 'other' } } },
  });
  await put(second, { phoneNumber: '' });
  await put(first, { remark: 'found again' });
});

it('of phones that get the same number at the same moment, one has it', async () => {
  const ids = await Promise.all([0, 1, 2, 3].map(() => phones.add(randomUUID())));
  const outcomes = await Promise.allSettled(
    ids.map((phoneId) => put(phoneId, { phoneNumber: '+85261190002' })),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

it('an alias may be any carrier of the table of prefixes', async () => {
  const phoneId = await phones.add('alias');
  await expect(put(phoneId, { carrierAliases: 'Singtel' })).rejects.toMatchObject({ code: 'E_PHONE_FIELD' });
  await replacePrefixes(room.db, [{ prefix: '+65', carrierName: 'Singtel' }]);
  await put(phoneId, { carrierAliases: 'singtel' });
  expect((await find(phoneId)).carrierAliases).toEqual(['Singtel']);
});

it('of phones that get the same name at the same moment, one has it', async () => {
  const ids = await Promise.all([0, 1, 2, 3].map(() => phones.add(randomUUID())));
  const name = randomUUID();
  const outcomes = await Promise.allSettled(ids.map((phoneId) => put(phoneId, { name })));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(3);
  for (const error of refused) expect(error).toMatchObject({ code: 'E_PHONE_EXISTS' });
});

it('its lanes come and go with its flags, and follow its throttles and its name', async () => {
  const phoneId = await phones.add('hk-lanes', { countOneHour: 5 });
  expect(await modesOf(phoneId)).toEqual({});
  // What is not known is not zero: nobody is asked to top it up.
  expect(await find(phoneId)).toMatchObject({ estimatedBalance: null, validityDays: null });
  await phones.edit(phoneId, { smsActive: true }, { smsWebActive: true }, { whatsappActive: true });
  // The web app stands by while the modem sends: both are the same SIM.
  expect(await modesOf(phoneId)).toEqual({ 'sim-modem': 'on', 'sim-web': 'paused', whatsapp: 'on' });
  await put(phoneId, { smsSuspended: true });
  expect(await modesOf(phoneId)).toEqual({ 'sim-modem': 'paused', 'sim-web': 'on', whatsapp: 'on' });
  await phones.edit(phoneId, { smsSuspended: false }, { setting: '{"method":"gammu"}' });
  expect(await modesOf(phoneId)).toMatchObject({ 'sim-modem': 'removed', gammu: 'on', 'sim-web': 'paused' });
  await phones.edit(phoneId, { name: 'hk-renamed' }, { countOneHour: 7 });
  expect(await lanesOf(phoneId)).toMatchObject([
    { name: 'hk-renamed.gammu', hour: 7, route: 'sms' },
    { name: 'hk-renamed.sim-modem' },
    { name: 'hk-renamed.sim-web' },
    { name: 'hk-renamed.whatsapp', route: 'whatsapp' },
  ]);
  await put(phoneId, { setting: '{"method":"gammu","isTransferAvailable":false}' });
  expect((await lanesOf(phoneId))[0]).toMatchObject({ route: '' });
  await put(phoneId, { remark: 'RELEASED in May' });
  expect(new Set(Object.values(await modesOf(phoneId)))).toEqual(new Set(['removed']));
  expect((await inventory('')).phoneNumberInventory.map(({ _id }) => _id)).not.toContain(phoneId);
  await put(phoneId, { remark: 'back again' });
  expect(await modesOf(phoneId)).toMatchObject({ gammu: 'on', whatsapp: 'on' });
});

it('a phone is UP while it was heard of within 180 seconds, DOWN after that, and unknown without the way out', async () => {
  const phoneId = await phones.add('hk-health', { smsActive: true });
  const health = async () => (await find(phoneId)).health;
  expect(await health()).toEqual({ whatsapp: 'unknown', sms: 'DOWN', smsWeb: 'unknown' });
  await beat(phoneId, 170);
  expect(await health()).toMatchObject({ sms: 'UP' });
  await beat(phoneId, 181);
  expect(await health()).toMatchObject({ sms: 'DOWN' });
  await beat(phoneId, 1);
  await put(phoneId, { smsSuspended: true });
  expect(await health()).toMatchObject({ sms: 'DOWN' });
  await phones.edit(phoneId, { smsSuspended: false }, { remark: 'RELEASED' });
  expect(await health()).toMatchObject({ sms: 'unknown' });
});

it('the lanes of a phone that is not heard of go down, and come up when it is', async () => {
  const phoneId = await phones.add('hk-silent', { smsActive: true });
  await takeReports(phones.deps, [{ phoneId, imsi: '454', validUntil: '2099-01-01' }]);
  await sql`update lanes set up = true where phone_id = ${phoneId}`.execute(room.db);
  await watchHeartbeats(phones.deps);
  expect(await lanesOf(phoneId)).toMatchObject([{ up: true }]);
  await beat(phoneId, 200);
  await watchHeartbeats(phones.deps);
  expect(await lanesOf(phoneId)).toMatchObject([{ up: false }]);
  await takeReports(phones.deps, [{ phoneId }]);
  await watchHeartbeats(phones.deps);
  expect(await lanesOf(phoneId)).toMatchObject([{ up: true }]);
  expect(await find(phoneId)).toMatchObject({ IMSI: '454', health: { sms: 'UP' } });
});

it('where a phone is stays as it is while it is about to be given back', async () => {
  const phoneId = await phones.add(
    'hk-soft',
    { simHost: 'a.example' },
    { remark: '#soft_release on Friday' },
  );
  for (const edit of [{ simHost: 'b' }, { port: '1' }, { whatsappHost: 'b' }] as PhoneEdit[])
    await expect(put(phoneId, edit)).rejects.toThrow('E_PHONE_SOFT_RELEASE');
  await put(phoneId, { smsActive: true });
  expect(await find(phoneId)).toMatchObject({ simHost: 'a.example', smsActive: true });
});

const send = (laneId: number, count: number, status = 'SUCCESS', costMicros = 100_000) =>
  sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message,
      price_micros, cost_micros, created_at, updated_at, sent_at)
    select gen_random_uuid(), ${accountId}, ${laneId}, 'sms', 'outgoing', ${status}, 'x', 'x', 'x', 0, ${costMicros},
      now(), now(), now() from generate_series(1, ${count}::int)`.execute(room.db);
let accountId: string;

it('what it sent today and in all is counted once, and its balance falls by what that cost', async () => {
  accountId = await room.funded();
  const phoneId = await phones.add('hk-usage', { smsActive: true }, { estimatedBalance: '20' });
  const [lane] = await lanesOf(phoneId);
  await send(lane?.id ?? 0, 12);
  await send(lane?.id ?? 0, 3, 'FAILED');
  await countUsage(room.db);
  await countUsage(room.db);
  expect(await find(phoneId)).toMatchObject({
    usage: { countNetShared: 12, sentToday: 15, sentTotal: 15 },
    estimatedBalance: 18.8,
  });
  // It tells its balance itself: a little less than was thought, then more, which is a recharge.
  await takeReports(phones.deps, [{ phoneId, balanceMicros: 18_500_000n }]);
  await takeReports(phones.deps, [{ phoneId, balanceMicros: 18_500_000n }]);
  await send(lane?.id ?? 0, 5);
  await countUsage(room.db);
  expect(await find(phoneId)).toMatchObject({ estimatedBalance: 18, latestTopUpAt: null });
  // The messages cost less than was thought: more than the estimate is no recharge.
  await takeReports(phones.deps, [{ phoneId, balanceMicros: 18_400_000n }]);
  expect(await find(phoneId)).toMatchObject({ estimatedBalance: 18.4, latestTopUpAt: null });
  await takeReports(phones.deps, [{ phoneId, balanceMicros: 68_000_000n }]);
  const found = await find(phoneId);
  expect(found).toMatchObject({ estimatedBalance: 68, latestTopUpAt: expect.any(String) });
  const { balances } = (await call('GET /phoneNumberInventory/:phoneId/balances', {
    params: { phoneId },
  })) as Reply<'GET /phoneNumberInventory/:phoneId/balances'>;
  expect(balances).toMatchObject([
    { balance: 68, kind: 'recharge' },
    { balance: 18.4, kind: 'reported' },
    { balance: 18.5, kind: 'reported' },
    { balance: 20, kind: 'entered' },
  ]);
  const { usage } = (await call('GET /phoneNumberInventory/usage')) as { usage: Record<string, object> };
  expect(usage[phoneId]).toEqual(found.usage);
});

it('slots tell which SIM is where, what it sent, and which of them send nothing', async () => {
  const one = await phones.add('rack-1', { simHost: 'rack' }, { slot: 'SIM 01' }, { smsActive: true });
  await phones.add('rack-2', { simHost: 'rack' }, { slot: 'SIM 03' }, { smsActive: true });
  await beat(one, 1);
  const slots = (await call('GET /phoneNumberInventory/slot')) as Reply<'GET /phoneNumberInventory/slot'>;
  expect(slots.ret.rack).toEqual({
    'SIM 01': { phoneName: 'rack-1', phoneNumber: '', sent: 0 },
    'SIM 03': { phoneName: 'rack-2', phoneNumber: '', sent: 0 },
  });
  expect(slots.phoneSlotDisabled.rack).toEqual(['SIM 03']);
  expect(slots.devices.map(({ phoneName }) => phoneName)).toContain('rack-2');
});

it('messages are found by the phone, its id or its name, and by the method', async () => {
  const phoneId = await phones.add('hk-found', { smsActive: true }, { setting: '{"method":"gammu"}' });
  const lane = (await lanesOf(phoneId)).find(({ method }) => method === 'gammu');
  const ask = (filter: { phone?: string; method?: string }) =>
    findLaneIds(room.db, {
      provider: undefined,
      phone: undefined,
      method: undefined,
      ...filter,
    });
  for (const phone of [phoneId, 'hk-found'])
    expect(await ask({ phone, method: 'gammu' })).toEqual([lane?.id]);
  expect(await ask({ phone: 'hk-found.gammu' })).toEqual([]);
  expect(await ask({ method: 'gammu' })).toContain(lane?.id);
  expect(await ask({ phone: 'hk-found', method: 'sim-web' })).toEqual([]);
});
