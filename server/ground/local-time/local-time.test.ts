import { expect, test } from 'vitest';
import { localTime, momentOf, openLocalClock } from './local-time.ts';

test.each([
  ['2026-11-15T23:59', 'Asia/Hong_Kong', '2026-11-15T15:59:00.000Z'],
  ['2026-11-16T00:01:30', 'Asia/Hong_Kong', '2026-11-15T16:01:30.000Z'],
  ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00.000Z'],
  ['2026-12-01T12:00', 'America/New_York', '2026-12-01T17:00:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  // The clocks went from 2:00 to 3:00: half past two is read as half past three.
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  // And from 2:00 back to 1:00: half past one occurred twice, the first is meant.
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
])('%s in %s is %s', (local, timeZone, expected) => {
  expect(momentOf(local, timeZone)?.toISOString()).toBe(expected);
});

test('what is no time is no moment', () => {
  for (const local of ['2026-13-01T00:00', '2026-02-30T25:00', 'tomorrow'])
    expect(momentOf(local, 'Asia/Hong_Kong')).toBeUndefined();
});

test('a moment is what the clocks show', () => {
  const moment = momentOf('2026-05-05T05:05:05', 'Europe/Berlin') as Date;
  expect(localTime(moment, 'Europe/Berlin')).toBe('2026-05-05 05:05:05');
});

test('a clock for many moments shows what the slow one does, also around a change', () => {
  for (const timeZone of ['Asia/Hong_Kong', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    const clock = openLocalClock(timeZone);
    for (let moment = Date.UTC(2026, 2, 1); moment < Date.UTC(2027, 2, 1); moment += 12_345_678)
      expect(clock(moment)).toBe(localTime(new Date(moment), timeZone));
    // A change of the clocks, second by second.
    for (let moment = Date.UTC(2026, 2, 8, 6, 59, 50); moment < Date.UTC(2026, 2, 8, 7, 0, 10); moment += 999)
      expect(clock(moment)).toBe(localTime(new Date(moment), timeZone));
  }
});
