import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { makeStillDevice } from '../../../test/devices.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { chargeCard } from '../../customer/wallet/testing/index.ts';
import { checkFailed } from './check-failed.ts';
import { receiveUpload } from './receive-upload.ts';
import { sendUpload } from './send-upload.ts';

const room = await openTestMessages();
const { db } = room;
await room.addLane({ name: 'whatsapp-simulator', channel: 'whatsapp', simulated: true });
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const CSV = Buffer.from('phone,message\n+85261112222,hello\n+85261113333,hello\n');
const csv = {
  sha256: createHash('sha256').update(CSV).digest(),
  encoding: 'utf-8',
  bytes: async function* () {
    yield CSV;
  },
} as never;
const check = async (accountId: AccountId, fromPhone: string, send = false) =>
  (
    await receiveUpload(await room.open(), {
      sender: { accountId, test: false },
      channel: 'whatsapp',
      csv,
      fileName: 'people.csv',
      fields: { fromPhone },
      idempotencyKey: undefined,
      send,
    })
  ).upload;
const sandboxTopUp = async (accountId: AccountId, amount: string) => {
  const { processor } = room.deps;
  room.deps.processor = { ...processor, name: 'sandbox' };
  const cardId = await room.addCard(accountId);
  await chargeCard(room.deps, { accountId, cardId, amount, idempotencyKey: undefined });
  room.deps.processor = processor;
};

test('a file by a real device is real from its check to its resend, beside simulators', async () => {
  const accountId = await room.funded(1);
  const sender = { accountId, test: false };
  const real = await makeStillDevice(db, { accountId, simulated: false, phoneNumber: '+85261110001' });
  const checked = await check(accountId, real);
  expect(checked).toMatchObject({ test: false, accepted: 2 });
  const { upload } = await sendUpload(await room.open(), { sender, uploadId: checked.id });
  const batchId = upload.batchId;
  if (!batchId) throw new Error('it was not sent');
  expect(await room.messagesOf(accountId)).toMatchObject([
    { test: false, sender: real },
    { test: false, sender: real },
  ]);
  await sql`update messages set status = 'FAILED' where account_id = ${accountId}`.execute(db);
  const again = await checkFailed(await room.open(), { sender, batchId, language: 'en_US' });
  expect(again).toMatchObject({ test: false, accepted: 2 });
  await sendUpload(await room.open(), { sender, uploadId: again.id });
  expect((await room.messagesOf(accountId)).map(({ test: simulated }) => simulated)).toEqual(
    Array(4).fill(false),
  );
});

test('money of test cards pays for no file by a real device, checked before or sent at once', async () => {
  const accountId = await room.funded();
  await sandboxTopUp(accountId, '10');
  const sender = { accountId, test: false };
  const real = await makeStillDevice(db, { accountId, simulated: false, phoneNumber: '+85261110003' });
  const { id: uploadId } = await check(accountId, real);
  const refused = { code: 'E_SANDBOX_MONEY' };
  await expect(sendUpload(await room.open(), { sender, uploadId })).rejects.toMatchObject(refused);
  await expect(check(accountId, real, true)).rejects.toMatchObject(refused);
  expect(await room.messagesOf(accountId)).toEqual([]);
});
