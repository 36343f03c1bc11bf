import { expect, test } from 'vitest';
import { add, honest, inWords } from './tally.ts';

test('the last line says what passed and failed, and what was skipped only if anything was', () => {
  expect(inWords({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  expect(inWords({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
});

test('stages add up', () => {
  const one = { passed: 3, failed: 1, skipped: 2 };
  expect(add([one, one])).toEqual({ passed: 6, failed: 2, skipped: 4 });
});

test('a stage that ran nothing has failed', () => {
  expect(honest({ passed: 0, failed: 0, skipped: 5 }, 0, '').failed).toBe(1);
});

test('a stage that broke although no test failed has failed', () => {
  expect(honest({ passed: 9, failed: 0, skipped: 0 }, 1, '').failed).toBe(1);
});

test('failures are counted as they are', () => {
  expect(honest({ passed: 9, failed: 2, skipped: 0 }, 1, '')).toMatchObject({
    passed: 9,
    failed: 2,
    skipped: 0,
  });
});

test('a stage that failed tells the end of what it printed, and one that passed does not', () => {
  const output = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
  const { told = '' } = honest({ passed: 9, failed: 0, skipped: 0 }, 1, output);
  expect(told.split('\n')).toHaveLength(60);
  expect(told.endsWith('line 99')).toBe(true);
  expect(honest({ passed: 9, failed: 0, skipped: 0 }, 0, output)).not.toHaveProperty('told');
});
