import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { messageQuery } from '../../../../contract/traffic/message-search.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { makeStillDevice } from '../../../../test/devices.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { openTestPhones } from '../../../../test/phones.ts';
import { readEmails } from '../../../customer/accounts/index.ts';
import { readPhoneHosts } from '../../../fleet/phones/index.ts';
import { newId } from '../../../ground/postgres/index.ts';
import { carrierOfNumber, replacePrefixes } from '../../carriers/index.ts';
import { noteRecipients } from '../../lanes/index.ts';
import { readSearch } from '../search/read-search.ts';
import { searchMessages } from '../search/search.ts';
import { viewMessages } from './view-message.ts';

let room: Awaited<ReturnType<typeof openTestMessages>>;
let accountId: AccountId;
let laneId: number;
beforeAll(async () => {
  room = await openTestMessages();
  accountId = await room.funded();
  await openTestPhones(room.db).add('p1', { smsActive: true });
  const { rows } = await sql<{ id: number }>`select id from lanes where phone_name = 'p1'`.execute(room.db);
  laneId = rows[0]?.id ?? 0;
  await replacePrefixes(room.db, [
    { prefix: '+8526', carrierName: 'csl' },
    { prefix: '+85261', carrierName: 'three' },
  ]);
});
afterAll(() => room.close());

const insert = async (
  recipient: string,
  status: string,
  { errorCode = '', device = null }: { errorCode?: string; device?: string | null } = {},
) => {
  const id = newId();
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message,
      error_code, test, created_at, updated_at, carrier, sender)
    values (${id}, ${accountId}, ${status === 'PENDING' ? null : laneId}, ${device ? 'whatsapp' : 'sms'}, 'outgoing',
      ${status}, ${recipient}, ${recipient}, 'x', ${errorCode}, true, now(), now(), ${carrierOfNumber(recipient)},
      ${device})`.execute(room.db);
  return id as MessageId;
};
const find = async (query: Record<string, string>, admin = true) => {
  const caller = { accountId, admin } as never;
  const { search, place } = await readSearch(room.db, caller, messageQuery.parse(query));
  const { messages, total } = await searchMessages({ db: room.db }, search, place);
  expect(total).toBe(messages.length);
  return viewMessages({ db: room.db, readPhoneHosts }, messages, { admin, language: 'en_US' });
};

it('tags tell what is known, to admins only, and the carrier is that of the number', async () => {
  const [met, gone, waits] = [
    await insert('+85262220000', 'SUCCESS'),
    await insert('+85261110000', 'FAILED', { errorCode: 'E_INVALID_CONTACT' }),
    await insert('+85263330000', 'PENDING'),
  ];
  await noteRecipients(room.db, [{ laneId, recipient: '+85262220000', at: Date.now() }]);
  const today = new Date().toISOString().slice(0, 10);
  const found = new Map((await find({})).map((one) => [one._id, one]));
  expect(found.get(met)).toMatchObject({
    carrierName: 'csl',
    tags: [`last_sent-${today}`],
    job: { phoneName: 'p1', method: 'sim-modem' },
  });
  expect(found.get(gone)).toMatchObject({ carrierName: 'three', tags: [`invalid_contact-${today}`] });
  expect(found.get(waits)?.tags).toEqual(['predict-p1']);
  expect((await find({}, false)).flatMap(({ tags }) => tags)).toEqual([]);
});

it('messages are found by the carriers of their numbers, the longest prefix counting', async () => {
  const numbers = async (query: Record<string, string>) =>
    (await find(query)).map(({ phoneNumber }) => phoneNumber).toSorted();
  expect(await numbers({ carrierNames: 'csl' })).toEqual(['62220000', '63330000']);
  expect(await numbers({ carrierName: 'three' })).toEqual(['61110000']);
  expect(await numbers({ carrierNames: 'csl,three' })).toHaveLength(3);
  expect(await numbers({ carrierNames: 'nobody' })).toEqual([]);
  expect(await numbers({ carrierNames: 'csl', method: 'sim-modem' })).toEqual(['62220000']);
});

it('a message that names a device is predicted to go by it, and by nothing else', async () => {
  await room.addLane({ name: 'whatsapp-simulator', channel: 'whatsapp', simulated: true });
  const device = await makeStillDevice(room.db, { accountId, simulated: true, phoneNumber: '+85261110001' });
  const waits = await insert('+85264440000', 'PENDING', { device });
  const [found] = await find({ _id: waits });
  expect(found?.tags).toEqual([`predict-${device}`]);
});

it('what a phone has shows its number, the phone to admins only, and where it was first after a transfer', async () => {
  const phones = openTestPhones(room.db);
  await phones.add('p2', { phoneNumber: '+852 6000 0002' }, { smsActive: true });
  await sql`update lanes set up = true`.execute(room.db);
  const [first] = (await sql<{ id: number }>`select id from lanes where phone_name = 'p1'`.execute(room.db))
    .rows;
  const id = await insert('+85265550000', 'SUCCESS');
  const [shared] = await find({ _id: id });
  expect(shared).toMatchObject({
    fromPhoneNumber: '',
    job: { deviceId: 'p1', originalDeviceId: null, phoneName: 'p1' },
  });
  const step = { at: new Date(), from: first?.id, to: 0, why: 'TRANSFERRED', code: '' };
  await sql`update messages set route = ${JSON.stringify([step])}::jsonb,
    lane_id = (select id from lanes where phone_name = 'p2') where id = ${id}`.execute(room.db);
  const [moved] = await find({ _id: id });
  expect(moved).toMatchObject({
    fromPhoneCountryCode: '+852',
    fromPhoneNumber: '60000002',
    job: { deviceId: 'p2', originalDeviceId: 'p1' },
  });
  const [own] = await find({ _id: id }, false);
  expect(own).toMatchObject({
    fromPhoneNumber: '60000002',
    job: { deviceId: null, originalDeviceId: null, phoneName: null },
  });
  // What names its sender is from that, and nobody but its writer wrote an incoming one.
  await sql`update messages set sender = 'Shop' where id = ${id}`.execute(room.db);
  expect((await find({ _id: id }))[0]).toMatchObject({ fromPhoneNumber: 'Shop' });
  await sql`update messages set sender = null, type = 'incoming' where id = ${id}`.execute(room.db);
  expect((await find({ _id: id }))[0]).toMatchObject({ fromPhoneNumber: '' });
});

it('an account has its name for admins only, and the other party the one that this account gave it', async () => {
  const [other, stranger] = ['+85266660000', '+85266660001'];
  const enter = (by: AccountId, recipient: string, name: string) =>
    sql`insert into contacts (account_id, recipient, name) values (${by}, ${recipient}, ${name})`.execute(
      room.db,
    );
  await enter(accountId, other, 'Kwan');
  await enter(await room.funded(), stranger, 'Not hers');
  const [known, unknown] = [await insert(other, 'SUCCESS'), await insert(stranger, 'SUCCESS')];
  const emails = await readEmails(room.db, [accountId]);
  expect((await find({ _id: known }))[0]).toMatchObject({
    accountEmail: emails.get(accountId),
    contactName: 'Kwan',
  });
  expect((await find({ _id: known }, false))[0]).toMatchObject({ accountEmail: null, contactName: 'Kwan' });
  expect((await find({ _id: unknown }))[0]?.contactName).toBe('');
  await sql`update messages set type = 'incoming', sender = recipient, recipient = 'x' where id = ${known}`.execute(
    room.db,
  );
  expect((await find({ _id: known }))[0]?.contactName).toBe('Kwan');
});
