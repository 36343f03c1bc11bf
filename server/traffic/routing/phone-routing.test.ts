import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { phraseText } from '../../ground/translations/index.ts';
import type { LanePhone } from '../lanes/index.ts';
import { type LaneFacts, openChooser, phoneSendersOf, type RoutedMessage } from './index.ts';
import { NOW_MS, testLane, testPhone } from './testing/test-lane.ts';

const DAY_MS = 86_400_000;
const MESSAGE: RoutedMessage = {
  accountId: 'ann' as AccountId,
  channel: 'sms',
  country: 'HK',
  test: false,
};
type Given = Partial<Omit<LaneFacts, 'phone'>> & { phone?: Partial<LanePhone> };
const phones = (...given: Given[]): LaneFacts[] =>
  given.map((one, at) =>
    testLane({
      id: at + 1,
      name: `lane-${at + 1}`,
      ...one,
      phone: testPhone({ name: `p${at + 1}`, ...one.phone }),
    }),
  );
const open = (facts: LaneFacts[]) => openChooser(facts, { nowMs: NOW_MS });
const counts = (facts: LaneFacts[], messages: Partial<RoutedMessage>[]) => {
  const chooser = open(facts);
  const ids = messages.map((one) => chooser.choose({ ...MESSAGE, ...one }).lane.id);
  return facts.map(({ id }) => ids.filter((one) => one === id).length);
};
const many = (count: number, one: Partial<RoutedMessage> = {}) => Array.from({ length: count }, () => one);
const last = (laneId: number, today = true) => ({ last: { laneId, today } });
const sentToday = (oneDay: number) => ({ tenMinutes: 0, oneHour: 0, eightHours: 0, oneDay });

test('phones share messages by their ideal volumes, and by their rates', () => {
  expect(counts(phones({ phone: { idealVolume: 300 } }, { phone: { idealVolume: 100 } }), many(40))).toEqual([
    30, 10,
  ]);
  expect(counts(phones({ phone: { transferJobRate: 3 } }, {}), many(40))).toEqual([30, 10]);
});

test('a phone that began to send two days ago gets less than one that has long been sending', () => {
  const facts = phones({ phone: { startedMs: NOW_MS - 2 * DAY_MS } }, {});
  expect(counts(facts, many(100))).toEqual([30, 70]);
});

test('a phone with its ideal volume comes after those without, and when all have it they go on', () => {
  const facts = phones({ phone: { idealVolume: 10 }, sent: sentToday(6) }, { phone: { idealVolume: 10 } });
  expect(counts(facts, many(14))).toEqual([4, 10]);
  expect(counts(facts, many(24))).toEqual([9, 15]);
});

test('people stay with the phone that last wrote to them, which pays for it with its turns', () => {
  const facts = phones({}, {});
  const chooser = open(facts);
  expect(chooser.choose({ ...MESSAGE, ...last(2) })).toMatchObject({ lane: { id: 2 }, why: 'STICKY' });
  expect(counts(facts, [...many(10, last(2)), ...many(10)])).toEqual([10, 10]);
  // Not beyond the ideal volume by much, not when it can't send, and not one that is less preferred.
  expect(counts(phones({}, { phone: { idealVolume: 100 }, sent: sentToday(106) }), many(3, last(2)))).toEqual(
    [3, 0],
  );
  expect(counts(phones({}, { up: false }), many(3, last(2)))).toEqual([3, 0]);
  expect(counts(phones({}, { preference: 200 }), many(3, last(2)))).toEqual([3, 0]);
  expect(counts(phones({}, { costMicros: 9_000n }), many(3, last(2)))).toEqual([0, 3]);
});

test('a phone writes to so many people a day, and to those again whom it has written to', () => {
  const facts = phones({ phone: { mostRecipients: 3 }, recipients: 1 }, { preference: 200 });
  expect(counts(facts, many(5))).toEqual([2, 3]);
  expect(counts(facts, [...many(5), ...many(4, last(1))])).toEqual([6, 3]);
  expect(counts(facts, [...many(5), ...many(4, last(1, false))])).toEqual([2, 7]);
});

test('a phone serves everybody in its shared hours, and its own account at any', () => {
  // It is 20 o'clock where the phones are.
  const at = (sharedFrom: number, sharedTo: number): number[] =>
    counts(phones({ phone: { sharedFrom, sharedTo } }, { preference: 200 }), many(1));
  expect([at(9, 18), at(18, 21), at(22, 6), at(19, 2)]).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  const own = phones({ phone: { sharedFrom: 9, sharedTo: 18 }, dedicatedTo: [MESSAGE.accountId] });
  expect(counts(own, many(1))).toEqual([1]);
});

test("a phone in the recipient's network comes before others, whatever they cost", () => {
  const facts = phones({}, { phone: { aliases: ['csl'] }, costMicros: 9_000n });
  expect(counts(facts, [...many(2, { carrier: 'csl' }), ...many(2, { carrier: 'three' })])).toEqual([2, 2]);
});

test('the preview has the scores that choosing goes by, with what they are made of', () => {
  const facts = phones(
    { phone: { idealVolume: 20, transferJobRate: 2 }, sent: sentToday(7), waiting: 2 },
    { up: false },
  );
  const explained = open(facts).explain({ ...MESSAGE, ...last(1) });
  expect(explained.map((one) => ({ ...one, sentence: phraseText('en_US', one.sentence) }))).toMatchObject([
    {
      chosen: true,
      weight: 40,
      sentence: 'Chosen: the recipient knows its number.',
      phone: {
        phoneName: 'p1',
        transferJobRate: 2,
        idealVolume: 20,
        startedDays: 100,
        sentCount: 7,
        pendingCount: 2,
        stickyness: 1,
      },
    },
    { chosen: false, rule: 'DOWN', sentence: 'It is down.', phone: { phoneName: 'p2', stickyness: 0 } },
  ]);
});

test('whom phones know matters only where a phone may get the message, and no price depends on it', () => {
  expect(open(phones({})).phonesMatter(MESSAGE)).toBe(true);
  expect(open([testLane({})]).phonesMatter(MESSAGE)).toBe(false);
  const behind = [testLane({ id: 9 }), ...phones({ preference: 200 })];
  expect(open(behind).phonesMatter(MESSAGE)).toBe(false);
  const priced = phones({ carrier: 'a', phone: { idealVolume: 1 }, sent: sentToday(5) }, { carrier: 'b' });
  expect(open(priced).carrierFor({ ...MESSAGE, ...last(2) })).toBe('a');
});

test('a message that names a sender goes by the phone that has it, or by what is no phone if none has', () => {
  const [first, second] = phones({ sender: '+85260000001' }, { sender: '+85260000002' });
  const facts = [first, second, testLane({ id: 3, name: 'smpp', preference: 200 })] as LaneFacts[];
  expect(counts(facts, many(3, { from: '+85260000002' }))).toEqual([0, 3, 0]);
  expect(counts(facts, many(3, { from: 'ACME' }))).toEqual([0, 0, 3]);
  expect(counts(facts, [{ from: null }, { from: 'ACME' }, {}])).toEqual([1, 1, 1]);
  const away = [first, { ...second, mode: 'removed' }] as LaneFacts[];
  expect(() => counts(away, many(1, { from: '+85260000002' }))).toThrow('E_NO_LANE');
  // A phone that is not among those to choose from still has its number.
  const rest = facts.slice(2);
  expect(counts(rest, many(1, { from: '+85260000002' }))).toEqual([1]);
  const chooser = openChooser(rest, { nowMs: NOW_MS, phoneSenders: phoneSendersOf(facts) });
  expect(() => chooser.choose({ ...MESSAGE, from: '+85260000002' })).toThrow('E_NO_LANE');
  expect(chooser.choose({ ...MESSAGE, from: 'ACME' }).lane.id).toBe(3);
  const explained = open(facts).explain({ ...MESSAGE, from: '+85260000001' });
  expect(explained.map(({ rule }) => rule)).toEqual([null, 'SENDER', 'SENDER']);
});
