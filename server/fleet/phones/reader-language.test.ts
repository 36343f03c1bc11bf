import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { PHONE_TEXTS } from '../../../contract/fleet/phone-rules.ts';
import type { PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { registerRoutes, replyWithError } from '../../http/index.ts';
import { transferRoutes } from '../../traffic/outbox/index.ts';
import { adminPhoneRoutes } from './routes.ts';

const app = fastify();
let room: Awaited<ReturnType<typeof openTestMessages>>;
let phones: ReturnType<typeof openTestPhones>;
let admin: AccountId;
let phoneId: PhoneId;
beforeAll(async () => {
  room = await openTestMessages();
  phones = openTestPhones(room.db);
  admin = await room.funded();
  await room.addMoney(admin, 5);
  phoneId = await phones.add('p1', { smsActive: true });
  await sql`update lanes set up = true`.execute(room.db);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerRoutes(
    app,
    [{ guard: 'admin', routes: { ...adminPhoneRoutes(phones.deps), ...transferRoutes(phones.deps) } }],
    {
      findSession: async () => ({
        accountId: admin,
        admin: true,
        role: 'owner',
        sessionHash: Buffer.alloc(32),
      }),
      findSender: async () => undefined,
      limits: room.accounts.limits,
    },
  );
});
afterAll(async () => {
  await app.close();
  await room.close();
});

type Reader = 'en-US' | 'zh-HK';
const ask = async (call: string, language: Reader, body?: object) => {
  const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT', string];
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: 'Bearer x', 'accept-language': language },
    ...(body && { payload: body }),
  });
  return { http: answer.statusCode, ...answer.json() };
};
const told = async (language: Reader, edit: PhoneEdit): Promise<string> =>
  (await ask(`PUT /phoneNumberInventory/${phoneId}`, language, edit)).message;

const ALIASES = Array.from({ length: 60 }, (_, at) => at).join();

it.each([
  ['Job exchange rate must be: a number from 0 to 1000.', { transferJobRate: '-1' }],
  ['「工作轉換率」必須為：0 至 1000 的數字。', { transferJobRate: '-1' }],
  ['Valid days must be: a whole number from 0 to 36500.', { validityDays: '1.5' }],
  ['「有效日數」必須為：0 至 36500 的整數。', { validityDays: '1.5' }],
  ['Started must be: a date.', { startedAt: 'soon' }],
  ['「啟用時間」必須為：日期。', { startedAt: 'soon' }],
  ['Estimated balance must be: an amount such as 48.50.', { estimatedBalance: 'a lot' }],
  ['「估計餘額」必須為：金額，例如 48.50。', { estimatedBalance: 'a lot' }],
  ['Name must be: a name.', { name: ' ' }],
  ['「名稱」必須為：非空白的名稱。', { name: ' ' }],
  ['Slot must be: WA 01, WA 02, WA 01b, WA 02b, SIM 01, SIM 02, SIM 03.', { slot: 'SIM 09' }],
  ['「插槽」必須為：WA 01, WA 02, WA 01b, WA 02b, SIM 01, SIM 02, SIM 03。', { slot: 'SIM 09' }],
  ['Carrier aliases must be: at most 50.', { carrierAliases: ALIASES }],
  ['「網絡商別名」必須為：最多 50 個。', { carrierAliases: ALIASES }],
  ['Phone number must be: a whole phone number, such as +852 6111 2222.', { phoneNumber: 'rack 7' }],
  ['「電話號碼」必須為：完整的電話號碼，例如 +852 6111 2222。', { phoneNumber: 'rack 7' }],
  ['Port must be: a port from 1 to 65535.', { port: '99999' }],
  ['「連接埠」必須為：1 至 65535 的連接埠。', { port: '99999' }],
  [
    'Carrier aliases must be: known carriers (cmhk, csl, smartone, three), and nobody is none.',
    { carrierAliases: 'nobody' },
  ],
  [
    '「網絡商別名」必須為：已知的網絡商（cmhk, csl, smartone, three），而 nobody 並不在其中。',
    { carrierAliases: 'nobody' },
  ],
  ['Remark must be: at most 500 characters.', { remark: 'x'.repeat(501) }],
  ['「備註」必須為：最多 500 個字元。', { remark: 'x'.repeat(501) }],
  [
    'Setting must be: JSON such as {"shared":{"from":9,"to":18},"idealVolume":200,"isTransferAvailable":true,"distinctRecipients":150}.',
    { setting: 'nonsense' },
  ],
  [
    '「設定」必須為：JSON，例如 {"shared":{"from":9,"to":18},"idealVolume":200,"isTransferAvailable":true,"distinctRecipients":150}。',
    { setting: 'nonsense' },
  ],
] as [string, PhoneEdit][])('%s', async (message, edit) => {
  expect(await told(message.startsWith('「') ? 'zh-HK' : 'en-US', edit)).toBe(message);
});

test.each(PHONE_TEXTS)('%s has a name in both languages', async (field) => {
  const edit = { [field]: 'x'.repeat(501) } as PhoneEdit;
  expect(await told('en-US', edit)).toMatch(/^[A-Z][\w ]+ must be: [^[]+\.$/);
  expect(await told('zh-HK', edit)).toMatch(/^「[^[]+」必須為：[^[]+。$/);
});

it('a transfer is explained and refused in the language of whoever asks for it', async () => {
  const { send } = await room.open();
  const { _id: jobId } = await send({
    sender: { accountId: admin, test: false, byPage: false },
    channel: 'sms',
    wanted: { recipientRaw: '+85261112222', message: 'hello' },
    idempotencyKey: undefined,
  } as never);
  const whys = async (language: Reader) =>
    (await ask(`GET /job/${jobId}/transferPreview?includeSelf=true`, language)).phoneScores.map(
      ({ why }: { why: string }) => why,
    );
  const refused = (language: Reader, phoneName: string) =>
    ask(`POST /job/${jobId}/transfer`, language, { phoneName });
  await phones.add('w1', { whatsappActive: true });
  expect(await whys('en-US')).toEqual(['Chosen: no other lane may have it.', 'It is a lane for whatsapp.']);
  expect(await whys('zh-HK')).toEqual(['獲選：沒有其他線路可發送此訊息。', '此線路只發送 WhatsApp 訊息。']);
  const HERE = 'The message was not transferred. It waits in that lane already.';
  expect(await refused('en-US', 'p1')).toMatchObject({ http: 409, message: HERE });
  expect(await refused('zh-HK', 'p1')).toMatchObject({
    http: 409,
    code: 'E_NOT_TRANSFERRED',
    message: '訊息未能轉移。訊息已在該線路中等候。',
  });
  expect(await refused('zh-HK', 'nobody')).toMatchObject({ message: '訊息未能轉移。沒有此線路。' });
  await phones.add('p2', { smsActive: true }, { smsSuspended: true });
  expect(await refused('zh-HK', 'p2')).toMatchObject({
    message: '訊息未能轉移。此線路已暫停，不接收新訊息。',
  });
});
