import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestLists } from '../../../test/list-app.ts';

let room: Awaited<ReturnType<typeof openTestLists>>;
beforeAll(async () => {
  room = await openTestLists();
});
afterAll(() => room.close());

const GB = '+447400123456';
const PREMIUM = '+85290012345678';
const SATELLITE = '+881612345678';
const send = (bearer: string, body: object, channel = 'sms') =>
  room.ask(`POST /${channel}/send`, { bearer, body: { message: 'hello', ...body } });

test.each([
  [{ phone: GB }, 'E_NO_PRICE', 'GB'],
  [{ phone: PREMIUM }, 'E_NUMBER_RANGE', PREMIUM],
  [{ phone: SATELLITE }, 'E_NUMBER_RANGE', SATELLITE],
  [{ phone: GB, sendAt: new Date(Date.now() + 86_400_000).toISOString() }, 'E_NO_PRICE', 'GB'],
])(
  '%o has no price: refused and not charged, by both secrets and both channels',
  async (body, code, told) => {
    const { accountId, secret, testSecret } = await room.customer();
    for (const bearer of [secret, testSecret]) {
      const answer = await send(bearer, body);
      expect(answer).toMatchObject({ http: 400, code });
      expect(answer.message).toContain(told);
    }
    expect(await send(secret, body, 'whatsapp')).toMatchObject({ code });
    expect(await room.balance(accountId)).toBe(1_000_000n);
    expect(await room.messagesOf(accountId)).toEqual([]);
  },
);

test('of many messages only those to such destinations are refused', async () => {
  const { accountId, secret } = await room.customer();
  const messages = ['6111 2222', GB, PREMIUM].map((phone) => ({ phone, message: 'hello' }));
  const answer = await room.ask('POST /sms/sendMany', { bearer: secret, body: { messages } });
  expect(answer).toMatchObject({ http: 200, accepted: 1, refused: 2, price: 0.032051 });
  expect(answer.messages.map(({ code }: { code?: string }) => code)).toEqual([
    undefined,
    'E_NO_PRICE',
    'E_NUMBER_RANGE',
  ]);
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test('a file’s check names the rows, and sends the others', async () => {
  const { accountId, secret: bearer } = await room.customer();
  const csv = `phone,message\n6111 2222,a\n${GB},b\n${PREMIUM},c\n`;
  const checked = await room.upload('/sms/csvPreflight', csv, { bearer });
  expect(checked).toMatchObject({ http: 200, accepted: 1, refused: 2 });
  expect(checked.refusals).toMatchObject([
    { row: 3, column: 'phone', code: 'E_NO_PRICE' },
    { row: 4, column: 'phone', code: 'E_NUMBER_RANGE' },
  ]);
  expect(await room.ask(`POST /uploads/${checked._id}/send`, { bearer })).toMatchObject({ state: 'SENT' });
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test('a file that was checked is not sent to a destination whose price has ended since', async () => {
  const { accountId, secret: bearer } = await room.customer();
  const checked = await room.upload('/sms/csvPreflight', 'phone,message\n+85512345678,a\n', { bearer });
  expect(checked).toMatchObject({ accepted: 1 });
  await sql`update prices set valid_until = now() where country = 'KH'`.execute(room.db);
  // Prices are kept for some seconds.
  const quote = () => room.ask('POST /sms/quote', { bearer, body: { phone: '+85512345678', message: 'a' } });
  await expect.poll(async () => (await quote()).code, { timeout: 20_000, interval: 200 }).toBe('E_NO_PRICE');
  expect(await room.ask(`POST /uploads/${checked._id}/send`, { bearer })).toMatchObject({
    code: 'E_NO_PRICE',
  });
  expect(await room.balance(accountId)).toBe(1_000_000n);
});
