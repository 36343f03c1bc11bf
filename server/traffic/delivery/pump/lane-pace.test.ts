import { expect, test } from 'vitest';
import { openLanePace } from './lane-pace.ts';

test('what is claimed goes by what was answered in the time in which something was in flight', () => {
  let ms = 0;
  const pace = openLanePace(() => ms);
  expect([pace.mostClaimed(10), pace.mostClaimed(100), pace.claimSize(100)]).toEqual([10, 50, 25]);
  for (let round = 0; round < 10; round += 1) {
    for (let at = 0; at < 25; at += 1) pace.began();
    ms += 5;
    for (let at = 0; at < 25; at += 1) pace.ended();
    // Nobody had anything to send.
    ms += 1_000;
  }
  pace.measure();
  expect([pace.mostClaimed(100), pace.claimSize(100)]).toEqual([500, 250]);
  pace.began();
  ms += 10;
  // Too soon to say.
  pace.measure();
  expect(pace.mostClaimed(100)).toBe(500);
  ms += 90;
  pace.ended();
  pace.measure();
  expect([pace.mostClaimed(100), pace.claimSize(100)]).toEqual([251, 126]);
});

test('behind a full window as many are claimed as the carrier takes within seconds', () => {
  let ms = 0;
  const pace = openLanePace(() => ms);
  for (let at = 0; at < 10; at += 1) pace.began();
  expect([pace.mostClaimed(10), pace.mostUrgent(10), pace.claimSize(10)]).toEqual([0, 0, 0]);
  pace.ended();
  expect([pace.mostClaimed(10), pace.mostUrgent(10)]).toEqual([1, 1]);
  pace.began();
  for (let at = 0; at < 4; at += 1) {
    ms += 1_000;
    pace.ended();
    pace.began();
    pace.measure();
  }
  // Three in three seconds.
  expect([pace.mostClaimed(10), pace.mostUrgent(10)]).toEqual([3, 3]);
  pace.stalled();
  ms += 1_000;
  pace.measure();
  expect([pace.mostClaimed(10), pace.mostUrgent(10)]).toEqual([0, 0]);
});

test('no claim is larger than what gains something', () => {
  let ms = 0;
  const pace = openLanePace(() => ms);
  for (let at = 0; at < 10_000; at += 1) pace.began();
  ms += 100;
  for (let at = 0; at < 10_000; at += 1) pace.ended();
  pace.measure();
  expect([pace.mostClaimed(100), pace.claimSize(100)]).toEqual([10_000, 1_000]);
});
