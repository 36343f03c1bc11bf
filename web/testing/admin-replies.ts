import type { Reply } from '../../contract/calls.ts';
import { AT, type Replies } from './replies/reply.ts';

const head = { date: '2026-03-04', at: AT, until: '24:00' };

type Figures = Reply<'GET /report/advance'>['total']['now'];
export const figures = (part: Partial<Figures> = {}): Figures => ({
  messages: 4_321,
  success: 4_210,
  failed: 108,
  inDoubt: 0,
  successRate: 0.975,
  medianMs: 850,
  p95Ms: 2_400,
  revenue: 138.5,
  cost: 100.25,
  margin: 38.25,
  ...part,
});
const before = figures({ messages: 4_000, revenue: 100 });
const row = (name: string, part: Partial<Figures> = {}) => ({
  name,
  now: figures(part),
  dayBefore: before,
  weekBefore: null,
});
const NOTHING = figures({
  messages: 0,
  success: 0,
  failed: 0,
  successRate: null,
  medianMs: null,
  p95Ms: null,
  revenue: 0,
  cost: 0,
  margin: 0,
});
const noStatus = { PENDING: 0, SUCCESS: 0, FAILED: 0, FAILED_WITH_EXCEPTION: 0, CANCELLED: 0 };
const hours = Array.from({ length: 24 }, (_, n) => ({
  hour: new Date(Date.parse('2026-03-03T16:00:00Z') + n * 3_600_000).toISOString(),
  ...noStatus,
}));
const traffic = Array.from({ length: 60 }, (_, n) => ({
  minute: new Date(Date.parse(AT) + n * 60_000).toISOString(),
  accepted: 0,
  sent: 0,
  failed: 0,
  received: 0,
}));

type Lane = Reply<'GET /admin/lanes'>['lanes'][number];
export const lane = (part: Partial<Lane> = {}): Lane => ({
  id: 7,
  name: 'smpp-hkt',
  channel: 'sms',
  provider: 'smpp',
  simulated: false,
  source: 'admin',
  mode: 'on',
  up: false,
  stateReason: 'connection refused',
  stateAt: AT,
  worker: 'worker-1',
  waiting: 1_234,
  carrierName: 'HKT',
  place: '',
  preference: 100,
  route: 'sms',
  countries: ['HK'],
  dedicatedTo: [],
  throttle: { countTenMinute: null, countOneHour: null, countEightHour: null, countOneDay: null },
  cost: '0.0125',
  countryCosts: {},
  settings: { SMPP_URL: 'smpp://centre', SMPP_PASSWORD: null },
  ...part,
});

const destination = { channel: 'sms', country: 'SG', carrierName: 'Singtel', range: '' } as const;

export const EMPTY_ADMIN: Replies = {
  'GET /report/status': { ...head, rows: [], hours },
  'GET /report/advance': {
    ...head,
    total: { now: NOTHING, dayBefore: null, weekBefore: null },
    by: { channel: [], country: [], carrier: [], provider: [], phone: [] },
  },
  'GET /report/device': { at: AT, devices: [] },
  'GET /phoneNumberInventory/slot': { ret: {}, phoneSlotDisabled: {}, devices: [] },
  'GET /whatsapp-agent/arena': { queues: [] },
  'GET /admin/overview': { at: AT, concerns: [], traffic },
  'GET /admin/lanes': { lanes: [], providers: [] },
  'GET /admin/prices': { prices: [] },
  'GET /admin/routes': { routes: [] },
  'GET /admin/carrierPrefixes': { prefixes: [] },
  'GET /admin/unassigned': { messages: [], more: false },
};

export const FULL_ADMIN: Replies = {
  'GET /report/status': {
    ...head,
    rows: [
      {
        channel: 'sms',
        type: 'outgoing',
        ...noStatus,
        SUCCESS: 4_210,
        FAILED: 108,
        PENDING: 3,
        total: 4_321,
        dayBefore: 4_000,
        weekBefore: 0,
      },
    ],
    hours: hours.with(9, { ...(hours[9] as (typeof hours)[number]), SUCCESS: 4_210, FAILED: 108 }),
  },
  'GET /report/advance': {
    ...head,
    total: { now: figures(), dayBefore: before, weekBefore: null },
    by: {
      channel: [row('sms')],
      country: [row('HK'), row('', { messages: 5 })],
      carrier: [row('csl')],
      provider: [row('smpp')],
      phone: [row('hk-1', { messages: 77 })],
    },
  },
  'GET /report/device': {
    at: AT,
    devices: [
      {
        _id: '018f0000-0000-7000-8000-000000000041' as Reply<'GET /report/device'>['devices'][number]['_id'],
        phoneName: 'hk-1',
        state: 'UP',
        lastHeartbeatAt: AT,
        sentToday: 12,
      },
    ],
  },
  'GET /phoneNumberInventory/slot': {
    ret: {
      'box-1.lan': {
        'WA 01': { phoneName: 'hk-1', phoneNumber: '+85261110001', sent: 12 },
        'SIM 02': { phoneName: 'hk-2', phoneNumber: '+85261110002', sent: 0 },
      },
    },
    phoneSlotDisabled: { 'box-1.lan': ['SIM 02'] },
    devices: [],
  },
  'GET /whatsapp-agent/arena': {
    queues: [{ name: 'hk-1.whatsapp', phoneName: 'hk-1', mode: 'on', up: true, waiting: 42 }],
  },
  'GET /admin/overview': {
    at: AT,
    concerns: [
      { kind: 'in_doubt', count: 17, names: [], since: AT },
      { kind: 'lanes', count: 1, names: ['smpp-hkt'], since: null },
      { kind: 'phones_down', count: 1, names: ['hk-4'], since: null },
      { kind: 'jobs', count: 2, names: ['wallet.reconcile'], since: AT },
    ],
    traffic: traffic.with(59, {
      minute: new Date(Date.parse(AT) + 59 * 60_000).toISOString(),
      accepted: 64,
      sent: 61,
      failed: 2,
      received: 5,
    }),
  },
  'GET /admin/lanes': { lanes: [lane()], providers: ['smpp'] },
  'GET /admin/routes': { routes: [{ name: 'sms', policy: 'cheapest', lanes: ['smpp-hkt', 'smpp-cmhk'] }] },
  'GET /admin/carrierPrefixes': { prefixes: [{ prefix: '+8526', carrierName: 'csl' }] },
  'GET /admin/unassigned': {
    messages: [
      {
        _id: '31',
        lane: 'smpp-hkt',
        channel: 'sms',
        from: '+85261113333',
        to: '+85260000001',
        message: 'who is this?',
        receivedAt: AT,
      },
    ],
    more: false,
  },
  'GET /admin/prices': {
    prices: [
      {
        ...destination,
        priceId: 4,
        unitPrice: '0.041',
        validFrom: AT,
        validUntil: null,
        purchase: { least: '0.02', most: '0.0305' },
      },
    ],
  },
  'POST /admin/prices/import': {
    begins: [{ ...destination, priceId: null, unitPrice: '0.05', validFrom: AT, validUntil: null }],
    ends: [{ ...destination, priceId: 4, unitPrice: '0.041', validFrom: AT, validUntil: AT }],
    drops: [],
    unchanged: 3,
    refusals: [],
    done: false,
  },
  'POST /admin/lanes/:laneId/mode': { status: 'ok' },
  'PUT /admin/lanes/:laneId': { status: 'ok' },
};
