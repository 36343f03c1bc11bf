import { afterAll, expect, test } from 'vitest';
import { openThreadPool } from './thread-pool.ts';

const workshop = openThreadPool({ threads: 2, memoryMb: 32, timeoutMs: 20_000 });
afterAll(workshop.close);

const SERVE = new URL('./serve-jobs.ts', import.meta.url).href;
/** A program written here, as a file would be. */
const job = (work: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { threadId } from 'node:worker_threads';
    import { serveJobs } from '${SERVE}'; serveJobs(${work});`)}`,
  );
const add = job('({ a, b }) => a + b');
const run = (file: URL, input: unknown = undefined, key = 'somebody') => workshop.run(file, { input, key });

test('a job runs in a thread of its own, and its result comes back', async () => {
  expect(await run(add, { a: 1n, b: 2n })).toBe(3n);
  const threadOf = job('() => threadId');
  expect(await run(threadOf)).toBeGreaterThan(0);
});

test('a job that fails fails alone, with its reason', async () => {
  await expect(run(job('() => { throw new RangeError("no such page") }'))).rejects.toThrow('no such page');
  expect(await run(add, { a: 1, b: 2 })).toBe(3);
});

test('a job that runs out of memory ends, and the program goes on', async () => {
  const greedy = job('() => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }');
  await expect(run(greedy)).rejects.toMatchObject({
    code: 'E_UNAVAILABLE',
    cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
  });
  expect(await run(add, { a: 1, b: 2 })).toBe(3);
});

test('a job that never ends is ended, and those behind it are served', async () => {
  const short = openThreadPool({ threads: 1, timeoutMs: 2_000 });
  const endless = short.run(job('() => { for (;;); }'), { input: undefined, key: 'a' });
  const behind = short.run(add, { input: { a: 1, b: 2 }, key: 'b' });
  await expect(endless).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  expect(await behind).toBe(3);
  await short.close();
});

test('jobs of one account leave a thread for others', async () => {
  const waiting = job('({ gate }) => { Atomics.wait(new Int32Array(gate), 0, 0); }');
  const gate = new SharedArrayBuffer(4);
  const flood = Array.from({ length: 5 }, () => run(waiting, { gate }, 'flood'));
  expect(await run(add, { a: 1, b: 2 }, 'another')).toBe(3);
  Atomics.store(new Int32Array(gate), 0, 1);
  Atomics.notify(new Int32Array(gate), 0);
  await Promise.all(flood);
});

test('a job is bounded by the time of the processor, and one that waits is not', async () => {
  const bounded = openThreadPool({ threads: 2, processorMs: 300, timeoutMs: 20_000 });
  const begun = performance.now();
  const endless = bounded.run(job('() => { for (;;); }'), { input: undefined, key: 'a' });
  const slow = job('() => new Promise((resolve) => setTimeout(resolve, 2_000, threadId))');
  const waiting = bounded.run(slow, { input: undefined, key: 'b' });
  await expect(endless).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(await waiting).toBeGreaterThan(0);
  await bounded.close();
});

test('threads are opened in advance, and one that is lost is replaced by one that is ready', async () => {
  const file = job(`(() => { let jobs = 0; return ({ end }) => {
    if (end) process.exit(1);
    jobs += 1;
    return [threadId, jobs];
  }; })()`);
  const prepared = openThreadPool({ threads: 2, ready: { file, input: {} } });
  const ask = (input: object) => prepared.run<[number, number]>(file, { input, key: 'a' });
  // Its first job was the one in advance.
  const [first, jobs] = await ask({});
  expect(jobs).toBe(2);
  await expect(ask({ end: true })).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  const threads = new Set<number>();
  for (const key of ['b', 'c', 'd', 'e']) {
    const waiting = Promise.all([ask({}), prepared.run<[number, number]>(file, { input: {}, key })]);
    for (const [thread, done] of await waiting) {
      threads.add(thread);
      expect(done).toBeGreaterThan(1);
    }
  }
  expect(threads).not.toContain(first);
  await prepared.close();
});
