import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { phraseText } from '../../ground/translations/index.ts';
import { type LaneFacts, openChooser, type RoutedMessage } from './index.ts';
import { NOW_MS, testLane, testPhone } from './testing/test-lane.ts';

const ANN = 'ann' as AccountId;
const MESSAGE: RoutedMessage = { accountId: ANN, channel: 'sms', country: 'HK', test: false };
const lanes = (...given: Partial<LaneFacts>[]): LaneFacts[] =>
  given.map((one, at) => testLane({ id: at + 1, name: `lane-${at + 1}`, ...one }));
const open = (facts: LaneFacts[]) => openChooser(facts, { nowMs: NOW_MS });
/** The lanes of so many messages, with why. */
const chosen = (facts: LaneFacts[], count = 1, message: Partial<RoutedMessage> = {}) => {
  const chooser = open(facts);
  return Array.from({ length: count }, () => {
    const { lane, why } = chooser.choose({ ...MESSAGE, ...message });
    return `${lane.id} ${why}`;
  });
};
const NO_LIMITS = { tenMinutes: null, oneHour: null, eightHours: null, oneDay: null };

test('equals of a route take turns by their weight; of no route, the first is taken', () => {
  expect(chosen(lanes({}, { weight: 2 }), 6)).toEqual([2, 1, 2, 2, 1, 2].map((id) => `${id} SPREAD`));
  expect(chosen(lanes({ route: '' }, { route: '' }), 2)).toEqual(['1 PREFERRED', '1 PREFERRED']);
});

test('turns go on when the facts are read again', () => {
  const facts = lanes({}, {}, {});
  let before = open(facts);
  const ids = Array.from({ length: 6 }, () => {
    const { lane } = before.choose(MESSAGE);
    before = openChooser(facts, { nowMs: NOW_MS, before });
    return lane.id;
  });
  expect(ids).toEqual([1, 2, 3, 1, 2, 3]);
});

test('of equal preference the cheapest to buy is taken, by country; preference outweighs any price', () => {
  const facts = lanes(
    { costMicros: 30n },
    { costMicros: 20n, countryCosts: { SG: '40' } },
    { preference: 200 },
  );
  expect(chosen(facts)).toEqual(['2 CHEAPEST']);
  expect(chosen(facts, 1, { country: 'SG' })).toEqual(['1 CHEAPEST']);
  expect(chosen(lanes({ costMicros: 9_000_000n }, { preference: 101 }))).toEqual(['1 PREFERRED']);
  const { lane } = open(facts.map((one) => ({ ...one, policy: 'spread' as const }))).choose(MESSAGE);
  expect(lane.id).toBe(1);
});

test('a full lane passes messages on; when all are full they wait, shared by what the throttles allow', () => {
  const facts = lanes(
    { limits: { ...NO_LIMITS, oneHour: 3 }, sent: { tenMinutes: 0, oneHour: 1, eightHours: 1, oneDay: 1 } },
    { preference: 200, limits: { ...NO_LIMITS, oneHour: 1 } },
  );
  expect(chosen(facts, 7)).toEqual([
    '1 PREFERRED',
    '1 PREFERRED',
    '2 INSTEAD',
    '1 WAITS',
    '1 WAITS',
    '2 WAITS',
    '1 WAITS',
  ]);
});

test('a lane that refuses everything gets one message in ten seconds as a test', () => {
  const facts = lanes({ rejectingSince: new Date(NOW_MS - 10_000) }, { preference: 200 });
  expect(chosen(facts, 3)).toEqual(['1 PREFERRED', '2 INSTEAD', '2 INSTEAD']);
  const before = open(facts);
  before.choose(MESSAGE);
  const idAfter = (ms: number) => openChooser(facts, { nowMs: NOW_MS + ms, before }).choose(MESSAGE).lane.id;
  expect([9_999, 10_000].map(idAfter)).toEqual([2, 1]);
  expect(chosen(lanes({ rejectingSince: new Date(NOW_MS) }))).toEqual(['1 WAITS']);
});

test('an account’s own lanes come first; others take over only in their route', () => {
  const own = { dedicatedTo: [ANN], preference: 500 };
  expect(chosen(lanes({}, own))).toEqual(['2 DEDICATED']);
  expect(chosen(lanes({}, { ...own, up: false }))).toEqual(['1 INSTEAD']);
  expect(chosen(lanes({ route: '' }, { ...own, up: false }))).toEqual(['2 WAITS']);
  expect(() => chosen(lanes({ route: '' }, { ...own, mode: 'paused' }))).toThrow('E_NO_LANE');
  expect(chosen(lanes({}, own), 1, { accountId: 'bob' as AccountId })).toEqual(['1 ONLY']);
});

test('the price’s carrier is that of the best lane, whatever state lanes are in and whose turn it is', () => {
  const facts = lanes({ carrier: 'csl', up: false }, { carrier: 'three', preference: 200 });
  const chooser = open(facts);
  expect(chooser.choose(MESSAGE).lane.carrier).toBe('three');
  expect(chooser.carrierFor(MESSAGE)).toBe('csl');
  const equal = open(lanes({ carrier: 'csl' }, { carrier: 'three' }));
  const carriers = Array.from({ length: 2 }, () => [
    equal.choose(MESSAGE).lane.carrier,
    equal.carrierFor(MESSAGE),
  ]);
  expect(carriers).toEqual([
    ['csl', 'csl'],
    ['three', 'csl'],
  ]);
});

test('an explanation has a sentence for each lane, the chosen one first', () => {
  const chooser = open(
    lanes(
      { up: false },
      { countries: ['SG', 'MY'] },
      { preference: 101 },
      { preference: 300 },
      { mode: 'draining' },
    ),
  );
  expect(
    chooser.explain(MESSAGE).map(({ name, sentence }) => `${name}: ${phraseText('en_US', sentence)}`),
  ).toEqual([
    'lane-3: Chosen: the best of those that can send now.',
    'lane-4: It could have the message, but lane-3 comes first.',
    'lane-1: It is down.',
    'lane-2: It serves SG, MY, not HK.',
    'lane-5: It is draining and gets nothing new.',
  ]);
});

const WHATSAPP: Partial<LaneFacts> = { channel: 'whatsapp', route: '' };
const NAME = 'wa-hk-aaaaaaaa';
const DEVICE: Partial<LaneFacts> = { ...WHATSAPP, device: NAME, dedicatedTo: [ANN] };

test('a real device ends simulated sending for nobody: messages that do not name it are as before', () => {
  const chooser = open(lanes({ ...WHATSAPP, simulated: true }, DEVICE));
  expect(chooser.offer({ channel: 'whatsapp', test: false })).toEqual({ available: true, simulated: true });
  expect(chooser.choose({ ...MESSAGE, channel: 'whatsapp', test: true }).lane.id).toBe(1);
  const named = { ...MESSAGE, channel: 'whatsapp', device: NAME } as const;
  expect(chooser.choose(named)).toMatchObject({ lane: { id: 2 }, why: 'DEVICE' });
  expect(() => chooser.choose({ ...named, test: true })).toThrow('E_NO_LANE');
});

test('what a message to a device is from decides for it alone', () => {
  const chooser = open(lanes({ ...DEVICE, phone: testPhone() }));
  const named = { ...MESSAGE, channel: 'whatsapp', device: NAME } as const;
  expect(() => chooser.choose({ ...named, from: 'ACME' })).toThrow('E_NO_LANE');
  expect(chooser.choose(named).lane.device).toBe(NAME);
});

test('a device is no offer of the operator, neither where it is all there is nor beside real lanes', () => {
  const offer = (facts: LaneFacts[]) => open(facts).offer({ channel: 'whatsapp', test: false });
  expect(offer(lanes(DEVICE))).toEqual({ available: false, simulated: true });
  expect(offer(lanes(DEVICE, {}))).toEqual({ available: false, simulated: false });
  expect(offer(lanes(DEVICE, WHATSAPP))).toEqual({ available: true, simulated: false });
});

test('a simulator never stands in for a real lane, even where there is nothing else', () => {
  expect(() => chosen(lanes({ simulated: true }))).toThrow('E_NO_LANE');
  expect(chosen(lanes({ simulated: true }), 1, { test: true })).toEqual(['1 ONLY']);
});
