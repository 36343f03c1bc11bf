import type { AccountId } from '../../contract/customer/accounts.ts';
import { type LaneInUse, NOTHING_SENT } from '../../server/traffic/lanes/index.ts';
import { laneFacts, openChooser, type RoutedMessage } from '../../server/traffic/routing/index.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 12);
const LANES = 200;
const COUNTRIES = [
  'HK',
  'SG',
  'MY',
  'TW',
  'GB',
  'US',
  'AU',
  'CA',
  'JP',
  'TH',
  'PH',
  'ID',
  'VN',
  'MO',
  'CN',
  'IN',
];
const accountAt = (at: number): AccountId => `account-${at}` as AccountId;

/** Phones and binds: a third for some countries, a tenth dedicated, most throttled, one in 25 down. */
const laneAt = (at: number): LaneInUse => ({
  id: at + 1,
  name: `lane-${at + 1}`,
  channel: at % 10 === 9 ? 'whatsapp' : 'sms',
  provider: 'bench',
  sender: '',
  carrier: '',
  simulated: at >= LANES - 3,
  mode: at % 50 === 17 ? 'paused' : 'on',
  preference: 100 + (at % 2),
  route: 'sms',
  policy: 'cheapest',
  up: at % 25 !== 3,
  rejectingSince: null,
  sessionHours: null,
  countries: at % 3 === 0 ? COUNTRIES.slice(at % 8, (at % 8) + 3) : [],
  dedicatedTo: at % 10 === 5 ? [accountAt(at % 40)] : [],
  throttleTenMinutes: at % 4 === 0 ? null : 60,
  throttleOneHour: at % 4 === 0 ? null : 200,
  throttleEightHours: at % 4 === 0 ? null : 800,
  throttleOneDay: at % 4 === 0 ? null : 1_200,
  costMicros: BigInt(4_000 + (at % 3) * 500),
  countryCosts: { SG: '9000' },
  phone: null,
  device: null,
});

const messageAt = (at: number): RoutedMessage => ({
  accountId: accountAt(at % 500),
  channel: at % 20 === 0 ? 'whatsapp' : 'sms',
  country: COUNTRIES[at % COUNTRIES.length] ?? '',
  test: false,
});

/** What a message costs in bulk, in microseconds: a chooser, as a file has one, chooses for all of them. */
export const measureChoosing = ({ messages = 200_000 } = {}): { microsecondsEach: number; lanes: number } => {
  const lanes = Array.from({ length: LANES }, (_, at) => laneAt(at));
  const loads = new Map(
    lanes.map(({ id }) => [id, { sent: { ...NOTHING_SENT, oneDay: id }, waiting: id % 7 }]),
  );
  const asked = Array.from({ length: messages }, (_, at) => messageAt(at));
  const chosen = new Set<number>();
  const begun = performance.now();
  const chooser = openChooser(laneFacts(lanes, loads), { nowMs: NOW_MS });
  for (const message of asked) chosen.add(chooser.choose(message).lane.id);
  const tookMs = performance.now() - begun;
  return { microsecondsEach: (tookMs * 1_000) / messages, lanes: chosen.size };
};
