import { expect, test } from 'vitest';
import { openRequestWindow, REQUESTS } from './request-window.ts';

const after = (answers: number[]) => {
  const window = openRequestWindow();
  for (const ms of answers) window.answered(ms);
  return window;
};

test('a receiver that is far away gets more requests at a time, up to the most', () => {
  expect(openRequestWindow().size()).toBe(REQUESTS.first);
  expect(after(Array(30).fill(80)).size()).toBeGreaterThan(REQUESTS.first);
  expect(after(Array(500).fill(80)).size()).toBe(REQUESTS.most);
});

test('one whose answers take longer the more requests it gets keeps the first few', () => {
  const window = openRequestWindow();
  for (let at = 0; at < 500; at += 1) window.answered(window.size() * 3);
  expect(window.size()).toBeLessThan(REQUESTS.first + 4);
  const busy = after(Array(500).fill(1));
  for (let at = 0; at < 100; at += 1) busy.answered(20);
  expect(busy.size()).toBe(REQUESTS.first);
});

test('after a failure it begins again', () => {
  const window = after(Array(500).fill(80));
  window.failed();
  expect(window.size()).toBe(REQUESTS.first);
});
