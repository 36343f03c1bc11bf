import type { Reply } from '../../../contract/calls.ts';
import { ACCOUNT_ID, AT, id, type Replies } from './reply.ts';

type Phone = Reply<'GET /phoneNumberInventory'>['phoneNumberInventory'][number];

type Agent = Reply<'GET /admin/agents'>['agents'][number];

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

type Device = Reply<'GET /devices'>['devices'][number];

export const device = (n: number, part: Partial<Device> = {}): Device => ({
  _id: id(n),
  deviceId: `wa-hk-${String(n).padStart(8, '0')}` as Device['deviceId'],
  accountId: ACCOUNT_ID,
  status: 'RUNNING',
  phoneNumber: `+8526111000${n}`,
  phoneName: `front desk ${n}`,
  host: 'worker-1',
  port: '9001',
  type: 'whatsapp',
  countryCode: 'HK',
  createdAt: AT,
  queue: `device:${n}`,
  wanted: 'RUNNING',
  reason: null,
  reasonAt: null,
  pairing: null,
  pairedAt: AT,
  waiting: 0,
  hold: null,
  today: { sent: 12, mostSent: 200, newContacts: 3, mostNewContacts: 20, warmUpDay: 4 },
  simulated: false,
  me: true,
  canStart: false,
  canStop: true,
  canSend: true,
  ...part,
});

/** Of a device that its owner has stopped. */
export const STOPPED = {
  status: 'STOPPED',
  wanted: 'STOPPED',
  canStart: true,
  canStop: false,
  canSend: false,
} satisfies Partial<Device>;

export const EMPTY_PHONES: Replies = {
  'GET /devices': { devices: [] },
  'GET /phoneNumberInventory': { phoneNumberInventory: [], hostMap: {}, hostMapv2: {} },
  'GET /admin/agents': { agents: [] },
};

export const FULL_PHONES: Replies = {
  'GET /devices': { devices: [device(1), device(2, STOPPED)] },
  'GET /phoneNumberInventory': { phoneNumberInventory: [phone(1), phone(2)], hostMap: {}, hostMapv2: {} },
  'GET /phoneNumberInventory/:phoneId/balances': {
    balances: [{ at: AT, balance: 4.5, kind: 'reported' }],
  },
  'PUT /phoneNumberInventory/:phoneId': { status: 'ok' },
  'GET /admin/agents': {
    agents: [
      {
        _id: id(1) as Agent['_id'],
        name: 'pi-1',
        version: '0.1.0',
        joinedAt: AT,
        lastSeenAt: AT,
        connected: true,
        settings: { heartbeatSeconds: 20 },
        modems: [
          {
            name: 'm1',
            driver: 'serial',
            up: true,
            reason: '',
            signal: 80,
            network: 'csl',
            phoneId: phone(1)._id,
            moved: null,
            phoneName: 'hk-1',
            sending: true,
          },
        ],
      },
    ],
  },
  'DELETE /admin/agents/:agentId': { status: 'ok' },
  'POST /admin/agentKeys': { key: 'the-key', expiresAt: AT, server: 'https://posthorn.example' },
};
