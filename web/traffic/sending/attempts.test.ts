import { expect, test } from 'vitest';
import { DOUBLE_CLICK_MS, openAttempts } from './attempts.ts';

const open = () => {
  const clock = { now: 1_000 };
  return { clock, attempts: openAttempts(() => clock.now) };
};

test('the same content keeps its key while its answer is missing, other content has another', () => {
  const { clock, attempts } = open();
  const key = attempts.keyFor('a');
  clock.now += 60_000;
  expect(attempts.keyFor('a')).toBe(key);
  expect(attempts.keyFor('b')).not.toBe(key);
});

test('a double click has the key of the first, a later click a new one', () => {
  const { clock, attempts } = open();
  const key = attempts.keyFor('a');
  attempts.accepted('a');
  clock.now += DOUBLE_CLICK_MS - 1;
  expect(attempts.keyFor('a')).toBe(key);
  // The repeated answer must not prolong it.
  attempts.accepted('a');
  clock.now += 1;
  expect(attempts.keyFor('a')).not.toBe(key);
});

test('after a refusal the next attempt is a new one', () => {
  const { attempts } = open();
  const key = attempts.keyFor('a');
  attempts.refused('a');
  expect(attempts.keyFor('a')).not.toBe(key);
});
