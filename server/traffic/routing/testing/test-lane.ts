import { type LanePhone, NOTHING_SENT } from '../../lanes/index.ts';
import type { LaneFacts } from '../lane-facts.ts';

export const NOW_MS = Date.UTC(2026, 10, 16, 12);

/** A real SMS lane for everyone, up and idle, except for what the test says. */
export const testLane = (given: Partial<LaneFacts>): LaneFacts => ({
  id: 1,
  name: 'lane',
  channel: 'sms',
  provider: 'test',
  sender: '',
  carrier: '',
  simulated: false,
  mode: 'on',
  preference: 100,
  route: 'sms',
  policy: 'cheapest',
  up: true,
  rejectingSince: null,
  sessionHours: null,
  countries: [],
  dedicatedTo: [],
  throttleTenMinutes: null,
  throttleOneHour: null,
  throttleEightHours: null,
  throttleOneDay: null,
  costMicros: 0n,
  countryCosts: {},
  limits: { tenMinutes: null, oneHour: null, eightHours: null, oneDay: null },
  sent: NOTHING_SENT,
  waiting: 0,
  weight: 1,
  recipients: 0,
  phone: null,
  device: null,
  ...given,
});

const DAY_MS = 86_400_000;

/** A phone that has long been sending, at any hour and to any number of people. */
export const testPhone = (given: Partial<LanePhone> = {}): LanePhone => ({
  id: 'id',
  name: 'phone',
  idealVolume: 0,
  transferJobRate: 1,
  startedMs: NOW_MS - 100 * DAY_MS,
  sharedFrom: null,
  sharedTo: null,
  mostRecipients: null,
  aliases: [],
  ...given,
});
