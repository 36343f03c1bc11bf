import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLocalClock } from '../../ground/local-time/index.ts';
import { budgetOf, CAREFUL, dayOf, type GovernorFacts, judgeSend, timeZoneOf, todayOf } from './governor.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday, 10 o'clock in Hong Kong. */
const START = Date.UTC(2026, 10, 16, 2);
const HK = timeZoneOf('HK');

const fresh = (over: Partial<GovernorFacts> = {}): GovernorFacts => ({
  timeZone: HK,
  pairedMs: START,
  day: '',
  sent: 0,
  newContacts: 0,
  lastMs: null,
  draw: 0.5,
  warnedUntilMs: null,
  ...over,
});
const code = (facts: GovernorFacts, nowMs: number, isNew = false) =>
  judgeSend(CAREFUL, facts, { nowMs, isNew })?.code;

test('a young number may send little, and more each day', () => {
  const budgets = Array.from({ length: 14 }, (_, day) => budgetOf(CAREFUL, fresh(), START + day * DAY_MS));
  expect(budgets[0]).toEqual({ mostSent: 20, mostNewContacts: 5, warmUpDay: 1 });
  for (const [at, { mostSent }] of budgets.entries())
    expect(mostSent).toBeGreaterThanOrEqual(budgets[at - 1]?.mostSent ?? 0);
  expect(budgets.at(-1)).toEqual({ mostSent: 1_000, mostNewContacts: 250, warmUpDay: null });
});

test('each reason has its end, and at its end another one or none', () => {
  const today = { day: dayOf(START, HK) };
  expect(judgeSend(CAREFUL, fresh(), { nowMs: START, isNew: true })).toBeNull();
  const full = judgeSend(CAREFUL, fresh({ ...today, sent: 20 }), { nowMs: START, isNew: false });
  // Eight o'clock on the next day.
  expect(full).toEqual({ code: 'WARM_UP', untilMs: START + 22 * HOUR_MS });
  expect(code(fresh({ ...today, sent: 20 }), full?.untilMs ?? 0)).toBeUndefined();
  expect(code(fresh({ ...today, newContacts: 5 }), START, true)).toBe('NEW_CONTACTS');
  expect(code(fresh({ ...today, newContacts: 5 }), START)).toBeUndefined();
  const night = START + 13 * HOUR_MS;
  expect(judgeSend(CAREFUL, fresh(), { nowMs: night, isNew: false })).toEqual({
    code: 'QUIET_HOURS',
    untilMs: START + 22 * HOUR_MS,
  });
  expect(code(fresh({ warnedUntilMs: START + DAY_MS }), START)).toBe('WARNED');
  expect(code(fresh({ pairedMs: START - 30 * DAY_MS, ...today, sent: 1_000 }), START)).toBe('DAY');
  expect(judgeSend(CAREFUL, fresh({ lastMs: START }), { nowMs: START, isNew: false })).toEqual({
    code: 'PACE',
    untilMs: START + 12_000,
  });
});

interface Month {
  country: string;
  /** Whom it may write to. */
  people: number;
  warnedDay: number;
  draws: number[];
}

/** A month of a device that always has something to send, to anybody. */
const liveMonth = ({ country, people, warnedDay, draws }: Month) => {
  const facts = fresh({ timeZone: timeZoneOf(country) });
  const warnedMs = START + warnedDay * DAY_MS;
  const sends: { ms: number; day: string; isNew: boolean }[] = [];
  const reasons = new Set<string>();
  const untold: number[] = [];
  let known = 0;
  for (let [nowMs, turn] = [START, 0]; nowMs < START + 31 * DAY_MS; turn += 1) {
    const draw = draws[turn % draws.length] ?? 0;
    if (facts.warnedUntilMs === null && nowMs > warnedMs) facts.warnedUntilMs = nowMs + CAREFUL.warnedMs;
    const wantsNew = known < people && draw * people >= known;
    const first = judgeSend(CAREFUL, facts, { nowMs, isNew: wantsNew });
    if (first) reasons.add(first.code);
    // A stranger is put off alone: in the same moment somebody else may get a message.
    const isNew = wantsNew && first?.code !== 'NEW_CONTACTS';
    const hold = isNew === wantsNew ? first : judgeSend(CAREFUL, facts, { nowMs, isNew });
    if (hold) {
      reasons.add(hold.code);
      if (hold.untilMs <= nowMs) untold.push(nowMs);
      nowMs = Math.max(hold.untilMs, nowMs + 1);
      continue;
    }
    const today = todayOf(facts, nowMs);
    const day = dayOf(nowMs, facts.timeZone);
    if (isNew) known += 1;
    sends.push({ ms: nowMs, day, isNew });
    const counted = { sent: today.sent + 1, newContacts: today.newContacts + (isNew ? 1 : 0) };
    Object.assign(facts, counted, { day, lastMs: nowMs, draw });
  }
  return { facts, sends, reasons, untold };
};

test.each([
  { country: 'HK', people: 20_000, warnedDay: 12 },
  { country: 'US', people: 300, warnedDay: 3 },
])(
  'over a month in $country no budget is exceeded, pauses and nights are kept, and each wait has its reason',
  ({ ...month }) => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 999 }), { minLength: 50, maxLength: 200 }), (given) => {
        const draws = given.map((thousandths) => thousandths / 1_000);
        const { facts, sends, reasons, untold } = liveMonth({ ...month, draws });
        expect(untold).toEqual([]);
        const exceeded = [...Map.groupBy(sends, ({ day }) => day).values()].filter((some) => {
          const { mostSent, mostNewContacts } = budgetOf(CAREFUL, facts, some[0]?.ms ?? 0);
          return some.length > mostSent || some.filter(({ isNew }) => isNew).length > mostNewContacts;
        });
        expect(exceeded).toEqual([]);
        const tooSoon = sends.filter(({ ms }, at) => ms - (sends[at - 1]?.ms ?? 0) < CAREFUL.pauseMs[0]);
        expect(tooSoon).toEqual([]);
        const clock = openLocalClock(facts.timeZone);
        const atNight = sends.filter(({ ms }) => {
          const hour = Number(clock(ms).slice(11, 13));
          return hour < CAREFUL.quietTo || hour >= CAREFUL.quietFrom;
        });
        expect(atNight).toEqual([]);
        const warned = facts.warnedUntilMs ?? 0;
        expect(sends.filter(({ ms }) => ms > warned - CAREFUL.warnedMs && ms < warned)).toEqual([]);
        expect([...reasons]).toEqual(expect.arrayContaining(['WARM_UP', 'WARNED', 'PACE']));
        // It is used: a warm number sends what it may.
        expect(sends.length).toBeGreaterThan(5_000);
      }),
      { numRuns: 2 },
    );
  },
  120_000,
);
