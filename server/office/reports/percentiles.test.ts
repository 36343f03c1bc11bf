import { expect, it } from 'vitest';
import { type Durations, openPercentiles } from './percentiles.ts';

const NOBODY = { country: null, carrier: null, channel: null, provider: null, phone: null };
const taken = (counts: Record<number, number>, of: Partial<Durations>): Durations => ({
  span: 1,
  byLane: false,
  ...NOBODY,
  buckets: Object.keys(counts).map(Number).reverse(),
  messages: Object.values(counts).reverse(),
  ...of,
});
const total = { span: 1, dimension: 'total', name: '' } as const;

it.each([
  [{ 3: 1 }, { median: 3, p95: 3 }],
  [
    { 3: 1, 4: 1 },
    { median: 3, p95: 4 },
  ],
  [
    { 3: 49, 4: 51 },
    { median: 4, p95: 4 },
  ],
  [
    { 3: 95, 40: 5 },
    { median: 3, p95: 3 },
  ],
  [
    { 3: 94, 40: 6 },
    { median: 3, p95: 40 },
  ],
  [{}, { median: null, p95: null }],
])('of %j they are %j', (counts, expected) => {
  expect(openPercentiles([taken(counts, { byLane: true })])(total)).toEqual(expected);
});

it('a lane counts for its channel, provider and phone, a country and a carrier for themselves alone', () => {
  const percentilesOf = openPercentiles([
    taken({ 5: 1 }, { byLane: true, channel: 'sms', provider: 'twilio', phone: 'hk-01' }),
    // A lane that is no more.
    taken({ 9: 3 }, { byLane: true }),
    taken({ 20: 1 }, { country: 'HK' }),
    taken({ 30: 1 }, { carrier: '' }),
    taken({ 7: 1 }, { byLane: true, span: 2 }),
  ]);
  const median = (
    dimension: 'total' | 'channel' | 'provider' | 'phone' | 'country' | 'carrier',
    name: string,
  ) => percentilesOf({ span: 1, dimension, name }).median;
  expect(median('total', '')).toBe(9);
  expect(median('channel', 'sms')).toBe(5);
  expect(median('provider', 'twilio')).toBe(5);
  expect(median('provider', '')).toBe(9);
  expect(median('phone', 'hk-01')).toBe(5);
  expect(median('phone', '')).toBeNull();
  expect(median('country', 'HK')).toBe(20);
  expect(median('carrier', '')).toBe(30);
  expect(percentilesOf({ ...total, span: 2 })).toEqual({ median: 7, p95: 7 });
});
