import { afterAll, expect, onTestFinished, test } from 'vitest';
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

test('what people write by hand does not wait behind the long texts of many', async () => {
  const fresh = openTestJudging({ processorMs: PROCESSOR_MS });
  onTestFinished(fresh.close);
  const analyst = () => fresh.of('mysql').judge('select n from numbers', 1_000, by('an analyst'));
  // Its thread is ready.
  await analyst();
  const long = `${HANGING} -- ${'x'.repeat(6_000)}`;
  let judged = 0;
  const longs = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) =>
    fresh
      .of('mysql')
      .judge(long, 1_000, by(key))
      .then(() => {
        judged += 1;
      }),
  );
  expect(await analyst()).toMatchObject({ kind: 'reads' });
  expect(judged).toBeLessThan(longs.length / 2);
  await Promise.all(longs);
});

test('the end of the program does not wait for a text that is being judged', async () => {
  const ending = openTestJudging({ processorMs: 60_000 });
  const verdict = ending.of('mysql').judge(HANGING, 1_000, by('a stranger'));
  // Once the threads are ready, it is in one of them.
  await ending.of('mysql').judge('select n from numbers', 1_000, by('an analyst'));
  const begun = performance.now();
  await ending.close();
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(await verdict).toMatchObject({ kind: 'refused' });
});
