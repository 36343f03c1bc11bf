import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { phraseText } from '../../ground/translations/index.ts';
import { type LaneFacts, openChooser, type RoutedMessage, type RuleCode } from './index.ts';
import { NOW_MS, testLane } from './testing/test-lane.ts';

const ACCOUNTS = ['ann', 'bob', 'cy'] as AccountId[];
const COUNTRIES = ['HK', 'SG', ''];

const limit = fc.option(fc.integer({ min: 0, max: 12 }), { freq: 2 });
const sent = fc.integer({ min: 0, max: 8 });
/** Few of both are of a device. */
const device = fc.constantFrom(null, null, null, null, null, 'wa-hk-aaaaaaaa');
const lane = fc.record({
  channel: fc.constantFrom(...CHANNELS),
  simulated: fc.boolean(),
  mode: fc.constantFrom('on' as const, 'on' as const, 'on' as const, 'paused' as const, 'draining' as const),
  preference: fc.integer({ min: 0, max: 2 }),
  route: fc.constantFrom('', 'a', 'a'),
  up: fc.constantFrom(true, true, null, false),
  rejectingSince: fc.option(
    fc.nat({ max: 20_000 }).map((ago) => new Date(NOW_MS - ago)),
    { freq: 3 },
  ),
  countries: fc.subarray(['HK', 'SG'], { maxLength: 1 }),
  dedicatedTo: fc.oneof(
    { weight: 3, arbitrary: fc.constant<AccountId[]>([]) },
    fc.subarray(ACCOUNTS, { maxLength: 2 }),
  ),
  limits: fc.record({ tenMinutes: limit, oneHour: limit, eightHours: limit, oneDay: limit }),
  sent: fc.record({ tenMinutes: sent, oneHour: sent, eightHours: sent, oneDay: sent }),
  waiting: fc.nat({ max: 2 }),
  weight: fc.integer({ min: 1, max: 3 }),
  recipients: fc.nat({ max: 3 }),
  phone: fc.option(
    fc.record({
      id: fc.constant('id'),
      name: fc.constant('phone'),
      idealVolume: fc.constantFrom(0, 3, 8),
      transferJobRate: fc.constantFrom(0, 1, 2),
      startedMs: fc.constantFrom(null, NOW_MS - 86_400_000),
      sharedFrom: fc.constantFrom(null, 19, 21),
      sharedTo: fc.constantFrom(null, 21, 6),
      mostRecipients: fc.constantFrom(null, 2, 6),
      aliases: fc.subarray(['csl']),
    }),
  ),
  device,
  sender: fc.constantFrom('', '+85260000001', '+85260000002'),
  policy: fc.constantFrom('cheapest' as const, 'spread' as const),
  costMicros: fc.bigInt({ min: 0n, max: 3n }),
});
/** More of one channel, so that lanes compete. */
const facts = fc
  .tuple(
    fc.array(lane, { maxLength: 8 }),
    fc.array(
      lane.map((one) => ({ ...one, channel: 'sms' as const })),
      { maxLength: 8 },
    ),
  )
  .map(([any, sms]) =>
    [...any, ...sms].map((one, at) => testLane({ ...one, id: at + 1, name: `lane-${at + 1}` })),
  );
const message: fc.Arbitrary<RoutedMessage> = fc.record({
  accountId: fc.constantFrom(...ACCOUNTS),
  channel: fc.constantFrom('sms' as const, 'sms' as const, ...CHANNELS),
  country: fc.constantFrom(...COUNTRIES),
  test: fc.boolean(),
  last: fc.option(fc.record({ laneId: fc.integer({ min: 1, max: 16 }), today: fc.boolean() }), {
    nil: undefined,
  }),
  carrier: fc.constantFrom('', 'csl', 'three'),
  from: fc.constantFrom(undefined, undefined, null, 'ACME', '+85260000001'),
  tried: fc.option(fc.subarray([1, 2, 3], { maxLength: 2 }), { nil: undefined, freq: 2 }),
  device,
});

/** The rules, written a second time: whether the lane breaks one, given how many messages it got. */
const breaks = (
  all: LaneFacts[],
  one: LaneFacts,
  { accountId, channel, country, test: isTest, tried, last, from: sender, device: named }: RoutedMessage,
  { chosen, met }: { chosen: number; met: number },
): Record<RuleCode, boolean> => {
  const serves = ({ countries }: LaneFacts) => countries.length === 0 || countries.includes(country);
  const isOwn = ({ dedicatedTo }: LaneFacts) => dedicatedTo.includes(accountId);
  const own = all.filter(
    (other) =>
      isOwn(other) &&
      other.device === null &&
      other.channel === channel &&
      other.simulated === isTest &&
      serves(other),
  );
  const isFull = (window: keyof LaneFacts['limits']) =>
    one.sent[window] + one.waiting + chosen >= (one.limits[window] ?? Number.POSITIVE_INFINITY);
  const { sharedFrom: from = null, sharedTo: to = null, mostRecipients: most = null } = one.phone ?? {};
  // It is 20 o'clock where the phones are.
  const isShared =
    from === null || to === null || (from < to ? from <= 20 && 20 < to : from <= 20 || 20 < to);
  return {
    CHANNEL: one.channel !== channel,
    DEVICE: one.device !== named,
    SIMULATOR: one.simulated !== isTest,
    MODE: one.mode !== 'on',
    COUNTRY: !serves(one),
    SENDER:
      !!sender &&
      (one.phone ? one.sender !== sender : all.some((other) => other.phone && other.sender === sender)),
    DEDICATED: one.dedicatedTo.length > 0 && !isOwn(one),
    OWN_LANES:
      own.length > 0 && !isOwn(one) && (one.route === '' || own.every(({ route }) => route !== one.route)),
    CLOSED: Object.values(one.limits).includes(0),
    SHARED_HOURS: !isOwn(one) && from !== to && !isShared,
    TRIED: tried?.includes(one.id) ?? false,
    DOWN: one.up === false,
    REJECTING: one.rejectingSince !== null && (NOW_MS - one.rejectingSince.getTime() < 10_000 || chosen > 0),
    THROTTLE_TEN_MINUTES: isFull('tenMinutes'),
    THROTTLE_ONE_HOUR: isFull('oneHour'),
    THROTTLE_EIGHT_HOURS: isFull('eightHours'),
    THROTTLE_ONE_DAY: isFull('oneDay'),
    RECIPIENTS: most !== null && one.recipients + met >= most && !(last?.laneId === one.id && last.today),
  };
};
const WAITING: RuleCode[] = [
  'DOWN',
  'REJECTING',
  'THROTTLE_TEN_MINUTES',
  'THROTTLE_ONE_HOUR',
  'THROTTLE_EIGHT_HOURS',
  'THROTTLE_ONE_DAY',
  'RECIPIENTS',
];

test('any choice obeys every rule, and the explanation names the rule that decided', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(facts, fc.array(message, { maxLength: 25 }), (all, messages) => {
      const chooser = openChooser(all, { nowMs: NOW_MS });
      const counts = new Map<number, { chosen: number; met: number }>();
      const countOf = (id: number) => counts.get(id) ?? { chosen: 0, met: 0 };
      for (const one of messages) {
        const broken = new Map(all.map((each) => [each.id, breaks(all, each, one, countOf(each.id))]));
        const brokenBy = (id: number) => broken.get(id) as Record<RuleCode, boolean>;
        const mayHave = all.filter(({ id }) =>
          Object.entries(brokenBy(id)).every(
            ([code, isBroken]) => !isBroken || WAITING.includes(code as RuleCode),
          ),
        );
        const canSend = mayHave.filter(({ id }) => !Object.values(brokenBy(id)).includes(true));

        const explained = chooser.explain(one);
        expect(explained.map(({ laneId }) => laneId).toSorted((a, b) => a - b)).toEqual(
          all.map(({ id }) => id),
        );
        for (const { laneId, rule, score, sentence } of explained) {
          const first = Object.entries(brokenBy(laneId)).find(([, isBroken]) => isBroken)?.[0] ?? null;
          expect(rule).toBe(first);
          expect(score === null).toBe(!mayHave.some(({ id }) => id === laneId));
          // A label without a text would be said in brackets.
          expect(phraseText('en_US', sentence)).toMatch(/^[^[]+\.$/);
        }
        if (mayHave.length === 0) {
          expect(explained.every(({ chosen }) => !chosen)).toBe(true);
          expect(() => chooser.choose(one)).toThrow('E_NO_LANE');
          continue;
        }
        const { lane: got, why } = chooser.choose(one);
        expect(explained.filter(({ chosen }) => chosen)).toEqual([explained[0]]);
        expect(explained[0]?.laneId).toBe(got.id);
        expect(why === 'WAITS').toBe(canSend.length === 0);
        expect(canSend.length === 0 ? mayHave : canSend).toContain(got);
        const isOwn = ({ dedicatedTo }: LaneFacts) => dedicatedTo.includes(one.accountId);
        // What a phone is worth is more than its price, and its own test shows it.
        for (const other of canSend.filter(({ phone }) => phone === null && got.phone === null)) {
          if (isOwn(got) !== isOwn(other)) expect(isOwn(got)).toBe(true);
          else if (got.preference !== other.preference) expect(got.preference).toBeLessThan(other.preference);
          else if (got.policy === 'cheapest' && other.policy === 'cheapest')
            expect(got.costMicros <= other.costMicros).toBe(true);
        }
        const { chosen: before, met } = countOf(got.id);
        const isMet = one.last?.laneId === got.id && one.last.today;
        counts.set(got.id, { chosen: before + 1, met: isMet ? met : met + 1 });
      }
    }),
    { numRuns: 500 },
  );
});
