import { afterAll, expect, test } from 'vitest';
import { openTestJudging } from './testing/judging.ts';

const PROCESSOR_MS = 300;
const judging = openTestJudging({ processorMs: PROCESSOR_MS });
afterAll(judging.close);
const mysql = judging.of('mysql');
const postgres = judging.of('postgres');

/** Not seen by a look at its signs, and minutes of work for the parser of the MariaDB zone. */
const HANGING = `select ${Array.from({ length: 3 }, () => `${'cast(1+'.repeat(6)}1${' as signed)'.repeat(6)}`).join(' + ')}`;
const by = (key: string, signal = new AbortController().signal) => ({ key, signal });

test('a text that its parser does not come to an end with is refused, and others go on meanwhile', async () => {
  const begun = performance.now();
  let over = false;
  const hostile = Promise.all(
    Array.from({ length: 2 }, () => mysql.judge(HANGING, 1_000, by('a stranger'))),
  ).finally(() => {
    over = true;
  });
  const waits: number[] = [];
  while (!over) {
    const asked = performance.now();
    expect(await mysql.judge('select n from numbers', 1_000, by('an analyst'))).toMatchObject({
      kind: 'reads',
    });
    expect(await postgres.judge('select n from numbers', 1_000, by('an analyst'))).toMatchObject({
      kind: 'reads',
    });
    waits.push(performance.now() - asked);
  }
  for (const verdict of await hostile) expect(verdict).toMatchObject({ kind: 'refused', reason: 'deep' });
  expect(performance.now() - begun).toBeGreaterThan(2 * PROCESSOR_MS);
  // Far more than two verdicts in all that time, and none behind the stranger's texts.
  expect(waits.length).toBeGreaterThan(5);
  expect(Math.max(...waits)).toBeLessThan(performance.now() - begun);
});

test('who leaves while a text is judged does not wait for it', async () => {
  const leaving = new AbortController();
  const verdict = mysql.judge(HANGING, 1_000, by('a stranger', leaving.signal));
  setTimeout(() => leaving.abort(), 200);
  const begun = performance.now();
  await expect(verdict).rejects.toThrow();
  expect(performance.now() - begun).toBeLessThan(5_000);
});
