import type { AccountId } from '../../contract/accounts.ts';
import type { CallName, Reply } from '../../contract/calls.ts';

export const ACCOUNT_ID = '018f0000-0000-7000-8000-00000000000a' as AccountId;
const AT = '2026-03-04T05:06:07.000Z';
const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** What a call answers: typed by the contract, so that a changed contract changes the tests. */
export type Replies = { [N in CallName]?: Reply<N> };

type Sender = Reply<'GET /account/:accountId/senders'>['senders'][number];
type Message = Reply<'GET /account/:accountId/messages'>['messages'][number];

export const message = (n: number, part: Partial<Message> = {}): Message => ({
  _id: id(n),
  batchId: null,
  accountId: ACCOUNT_ID,
  type: 'outgoing',
  channel: 'sms',
  status: 'SUCCESS',
  phoneCountryCode: '+852',
  phoneNumber: '61112222',
  fromPhoneCountryCode: '',
  fromPhoneNumber: '',
  message: `text ${n}`,
  subject: null,
  segment: 1,
  price: 0.032051,
  currency: 'USD',
  test: false,
  identifier: null,
  reason: '',
  errorCode: '',
  createdAt: AT,
  updatedAt: AT,
  sendAt: null,
  sentAt: AT,
  deliveredAt: AT,
  readAt: null,
  duration: 2,
  carrierName: '',
  quotedMessage: null,
  image: null,
  file: null,
  fileName: null,
  video: null,
  templateName: null,
  media: null,
  WABA: null,
  session: false,
  sessionSince: null,
  waMessageId: null,
  tags: [],
  job: {
    _id: id(n),
    phoneId: null,
    phoneName: null,
    deviceId: null,
    originalDeviceId: null,
    method: null,
    requestNewChatAt: null,
    reason: '',
    updatedAt: AT,
    provider: null,
    providerMessageId: null,
  },
  ...part,
});

export const profile = (admin = false): Reply<'GET /account/me/profile'> => ({
  _id: ACCOUNT_ID,
  email: 'someone@example.com',
  balance: 12.5,
  currency: 'USD',
  createdAt: AT,
  admin,
  timeZone: 'Asia/Hong_Kong',
  setting: { receiveEmail: true, webhook: '', sms: { dedicatedPhones: [] } },
  paymentSetting: {
    autoCharge: false,
    autoChargeAmount: null,
    cardId: null,
    autoChargeThreshold: 5,
    autoChargeDailyCap: 100,
    autoChargeStopped: '',
  },
});

const event: Reply<'GET /account/:accountId/webhook/events'>['events'][number] = {
  _id: id(7),
  type: 'message.delivered',
  messageId: id(1),
  state: 'DELIVERED',
  attempts: 1,
  createdAt: AT,
  attemptedAt: AT,
  nextAt: null,
  answer: { status: 200, fault: '', body: 'thank you', milliseconds: 12 },
};

const nothing = { total: 0, items: [] };
const month = '2026-03';
const idle = { messages: 0, spent: 0 };

const quote = (price: number): Reply<'POST /:channel/quote'> => ({
  phone: '',
  segments: 1,
  encoding: 'GSM',
  unitPrice: 0.032051,
  price,
  balanceAfter: 12.5 - price,
  test: false,
});

export const UPLOAD_ID = id(8);

/** A file of two rows: one is valid. */
export const upload: Reply<'GET /uploads/:uploadId'> = {
  _id: UPLOAD_ID as Reply<'GET /uploads/:uploadId'>['_id'],
  channel: 'sms',
  state: 'READY',
  batchId: null,
  repeated: false,
  test: false,
  fileName: 'people.csv',
  header: true,
  columns: ['phone', 'name'],
  rows: 2,
  accepted: 1,
  refused: 1,
  duplicates: 0,
  optedOut: 0,
  reasons: [{ code: 'E_PHONE_INVALID', message: 'Not a number.', count: 1 }],
  refusals: [{ row: 3, column: 'phone', code: 'E_PHONE_INVALID', message: 'Not a number.' }],
  sample: { phone: '+85261112222', message: 'Hello Amber!' },
  segments: 1,
  price: 0.032051,
  currency: 'USD',
  balance: 12.5,
  balanceAfter: 12.467949,
  expectedSeconds: 1,
  createdAt: AT,
};

/** An account that has done nothing yet. */
export const EMPTY: Replies = {
  'GET /account/me/profile': profile(),
  'GET /account/:accountId/messages': { messages: [], total: 0 },
  'GET /account/:accountId/batches': { batches: [], total: 0 },
  'GET /account/:accountId/contacts/page': { contacts: [], more: false },
  'GET /account/:accountId/optOuts': { optOuts: [], more: false, total: 0 },
  'GET /account/:accountId/senders': { senders: [] },
  'GET /account/:accountId/payments': { payments: [], more: false },
  'GET /account/:accountId/ledger': { entries: [], more: false },
  'GET /cards': {
    cards: [],
    topUp: { minimum: 6.41, maximum: 5_000, hkdPerUsd: 7.8 },
    provider: 'sandbox',
    publishableKey: '',
  },
  'GET /account/:accountId/billing': {
    date: month,
    usageInfo: { sms: nothing, email: nothing, whatsapp: nothing },
    billingTotal: 0,
  },
  'GET /account/:accountId/billingDates': { dates: [month] },
  'GET /account/:accountId/billing/days': {
    date: month,
    days: [{ date: '2026-03-01', sms: idle, email: idle, whatsapp: idle }],
  },
  'GET /account/:accountId/glance': { sent: 0, delivered: 0, failed: 0, spent: 0 },
  'GET /account/:accountId/webhook': {
    url: '',
    eventsPerCall: 1,
    secret: 'whsec_c2VjcmV0',
    previousUntil: null,
    failingSince: null,
    pausedUntil: null,
    goneAt: null,
  },
  'GET /account/:accountId/webhook/events': { events: [], more: false },
  'GET /account/:accountId/apiInfo': {
    masked: false,
    secret: 'the-secret',
    testSecret: 'the-test-secret',
    codes: { curl: 'curl', '': '' },
    manyCodes: { curl: 'curl' },
    webhookCodes: { curl: 'curl' },
    oldSecrets: [],
  },
  'GET /account/:accountId/apiCalls': { calls: [], more: false, total: 0 },
  'GET /account/:accountId/conversation': { messages: [], more: false },
  'GET /messages/:messageId/timeline': { message: message(1), steps: [], waiting: null, events: [] },
  'POST /:channel/quote': quote(0),
  'GET /admin/retention': { mode: 'on', rules: [], log: [] },
  'GET /qf/zones': { zones: [] },
  'GET /admin/payments': { payments: [], more: false },
  'GET /phoneNumberInventory': { phoneNumberInventory: [], hostMap: {}, hostMapv2: {} },
};

type Phone = Reply<'GET /phoneNumberInventory'>['phoneNumberInventory'][number];

export const phone = (n: number, part: Partial<Phone> = {}): Phone => ({
  _id: id(n) as Phone['_id'],
  name: `hk-${n}`,
  phoneNumber: `+8526111000${n}`,
  IMSI: '454001234567890',
  remark: '',
  createdAt: AT,
  startedAt: AT,
  lastHeartbeatAt: AT,
  health: { whatsapp: 'unknown', sms: 'UP', smsWeb: 'unknown' },
  validityDays: 2,
  latestTopUpAt: null,
  simHost: 'pi-1.example',
  whatsappHost: '',
  whatsappHostPort: '',
  whatsappWebHost: '',
  port: '8080',
  slot: 'SIM 01',
  estimatedBalance: 4.5,
  usage: { countNetShared: 120, sentToday: 130, sentTotal: 4_200 },
  setting: { idealVolume: 200 },
  transferJobRate: 1,
  carrierAliases: ['csl'],
  whatsappActive: false,
  whatsappSuspended: false,
  smsActive: true,
  smsSuspended: false,
  smsWebActive: false,
  smsWebSuspended: false,
  sendSetting: {
    throttle: { countTenMinute: 10, countOneHour: 40, countEightHour: null, countOneDay: 200 },
  },
  ...part,
});

type Batch = Reply<'GET /batches/:batchId'>;
export const BATCH_ID = id(7);

const batch: Batch = {
  _id: BATCH_ID as Batch['_id'],
  accountId: ACCOUNT_ID,
  email: null,
  channel: 'sms',
  kind: 'CSV',
  fileName: 'people.csv',
  byPage: true,
  test: false,
  createdAt: AT,
  sendAt: null,
  cancelledAt: null,
  total: 2,
  price: 0.064102,
  cost: 0.032051,
  counts: { PENDING: 0, SUCCESS: 1, FAILED: 1, FAILED_WITH_EXCEPTION: 0, CANCELLED: 0 },
  delivered: 1,
  countedAt: AT,
  secondsLeft: null,
};

const run = {
  rule: 'mail-copies',
  ranAt: AT,
  dryRun: false,
  days: 60,
  cutoff: AT,
  rows: 3,
  upTo: AT,
  endedAt: AT,
};

/** The same account after some use. */
const sender = (n: number, part: Partial<Sender>): Sender => ({
  _id: String(n),
  channel: 'email',
  kind: 'address',
  sender: 'news@example.com',
  verified: true,
  given: false,
  createdAt: AT,
  record: null,
  ...part,
});

export const FULL: Replies = {
  ...EMPTY,
  'GET /account/:accountId/senders': {
    senders: [
      sender(1, { channel: 'sms', kind: 'number', sender: '+85261110000', given: true }),
      sender(2, { verified: false }),
      sender(3, {
        kind: 'domain',
        sender: 'example.com',
        verified: false,
        record: { name: '_posthorn.example.com', value: 'posthorn=abc' },
      }),
    ],
  },
  'POST /:channel/quote': quote(0.032051),
  'GET /uploads/:uploadId': upload,
  'GET /batches/:batchId': batch,
  'GET /account/:accountId/batches': {
    batches: [batch],
    total: 1,
  },
  'GET /account/:accountId/messages': {
    messages: [message(1), message(2, { status: 'FAILED', reason: 'The number is switched off.' })],
    total: 2,
  },
  'GET /account/:accountId/contacts/page': {
    contacts: [
      {
        _id: '1',
        phone: '+85261112222',
        channel: 'sms',
        name: 'Ann',
        notes: 'prefers mornings',
        lastMessageAt: AT,
        optedOut: ['sms'],
      },
    ],
    more: true,
  },
  'GET /account/:accountId/optOuts': {
    optOuts: [
      { _id: '1', channel: 'sms', phone: '+85261113333', since: AT, source: 'REPLY', note: 'wrote back' },
    ],
    more: false,
    total: 1,
  },
  'GET /account/:accountId/payments': {
    payments: [
      {
        _id: id(3),
        createdAt: AT,
        currency: 'HKD',
        amount: 156,
        amountUsd: 20,
        status: 'FAILED',
        type: 'TOP_UP',
        description: 'Visa 4242',
        reason: 'insufficient funds',
      },
    ],
    more: false,
  },
  'GET /account/:accountId/ledger': {
    entries: [
      { _id: '1', createdAt: AT, kind: 'ADJUSTMENT', amount: -4.5, balance: 25.5, description: 'goodwill' },
    ],
    more: false,
  },
  'GET /account/:accountId/billing': {
    date: month,
    usageInfo: {
      sms: {
        total: 0.064102,
        items: [
          {
            kind: 'usage',
            displayName: 'SMS to Hong Kong',
            unitPrice: 0.032051,
            unit: 'segment',
            units: 2,
            deviceId: null,
            total: 0.064102,
          },
        ],
      },
      email: nothing,
      whatsapp: nothing,
    },
    billingTotal: 0.064102,
  },
  'GET /account/:accountId/billing/days': {
    date: month,
    days: [{ date: '2026-03-04', sms: { messages: 2, spent: 0.064102 }, email: idle, whatsapp: idle }],
  },
  'GET /account/:accountId/glance': { sent: 2, delivered: 1, failed: 1, spent: 0.064102 },
  'GET /account/:accountId/webhook/events': { events: [event], more: false },
  'GET /account/:accountId/apiCalls': {
    calls: [
      {
        _id: `${id(9)}.0`,
        at: AT,
        method: 'POST',
        path: '/api/sms/send',
        channel: 'sms',
        test: true,
        status: 400,
        code: 'E_PHONE_INVALID',
        durationMs: 3.2,
        requestId: 'req-1',
        answer: { code: 'E_PHONE_INVALID' },
      },
    ],
    more: false,
    total: 1,
  },
  'GET /messages/:messageId/timeline': {
    message: message(1),
    steps: [{ kind: 'delivered', at: AT }],
    waiting: null,
    events: [event],
  },
  'GET /account/:accountId/conversation': { messages: [message(1)], more: false },
  'GET /admin/retention': {
    mode: 'dry-run',
    rules: [
      { name: 'mail-copies', days: 60, removes: 'Copies of mails', due: 3, nextIsDry: true, last: run },
    ],
    log: [run],
  },
  'GET /admin/payments': {
    payments: [
      {
        _id: id(31),
        createdAt: AT,
        currency: 'HKD',
        amount: 156,
        amountUsd: 20,
        status: 'SUCCESS',
        type: 'TOP_UP',
        description: 'Top-up by Visa',
        reason: '',
        accountId: ACCOUNT_ID,
        email: 'ann@example.com',
        card: { brand: 'visa', last4: '4242' },
        provider: 'stripe',
        providerId: 'pi_31',
        refunded: 39,
        left: 117,
      },
    ],
    more: false,
  },
  'GET /qf/zones': {
    zones: [
      { id: 1, name: 'HK', engine: 'postgres' },
      { id: 11, name: 'Oversea QA', engine: 'mysql' },
    ],
  },
  'POST /qf/sql_database': { data: ['merchant_hk'], msg: '', success: true },
  'POST /qf/sql_tables': {
    data: [{ name: 'merchant', columns: [{ name: 'id', type: 'text' }] }],
    msg: '',
    success: true,
  },
  'GET /qf/bookmarks': {
    bookmarks: [
      {
        id: '1',
        query: 'select 1',
        database: 'merchant_hk',
        zone_id: 1,
        shared: true,
        own: false,
        owner: 'ann@example.com',
      },
    ],
  },
  'GET /qf/history': {
    queries: [
      {
        id: id(9),
        zone_id: 1,
        database: 'merchant_hk',
        sql: 'select count(*) from merchant',
        outcome: 'done',
        rows: 1,
        elapsed_ms: 12,
        createdAt: '2026-11-01T10:00:00.000Z',
      },
    ],
  },
  'GET /phoneNumberInventory': { phoneNumberInventory: [phone(1), phone(2)], hostMap: {}, hostMapv2: {} },
  'GET /phoneNumberInventory/:phoneId/balances': {
    balances: [{ at: AT, balance: 4.5, kind: 'reported' }],
  },
  'PUT /phoneNumberInventory/:phoneId': { status: 'ok' },
};
