import { afterEach, expect, test } from 'vitest';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { instantOf } from './instant-of.ts';
import { setTimeZone } from './time-zone.ts';

afterEach(() => setTimeZone(DEFAULT_TIME_ZONE));

test.each([
  ['Asia/Hong_Kong', '2026-03-04 00:00', '2026-03-03T16:00:00.000Z'],
  ['UTC', '2026-03-04 12:30', '2026-03-04T12:30:00.000Z'],
  ['America/New_York', '2026-07-01 08:00', '2026-07-01T12:00:00.000Z'],
  ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-03-08 01:59', '2026-03-08T06:59:00.000Z'],
])('in %s it is %s at %s', (zone, moment, instant) => {
  setTimeZone(zone);
  expect(instantOf(moment)).toBe(instant);
});
