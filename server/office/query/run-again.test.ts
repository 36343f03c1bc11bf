import { expect, test } from 'vitest';
import type { OwnServer, Reader, ReadOutcome } from './reader.ts';
import { seeEnded } from './see-ended.ts';

const { signal } = new AbortController();
const LOST: ReadOutcome = { kind: 'failed', message: 'it is starting up', position: undefined, lost: true };
const DONE: ReadOutcome = { kind: 'done', columns: [], rows: [], truncated: false };

/** A server that is away for the first so many statements, and says that it is there when it is asked. */
const reading = async (lost: number, timeoutMs: number) => {
  let runs = 0;
  const read = async () => {
    runs += 1;
    return runs > lost ? DONE : LOST;
  };
  const nothing = async () => {};
  const no = async () => false;
  const own: OwnServer = { isThere: no, kill: no, ready: nothing, putBehind: nothing };
  const watched = { signal, onKilled: async () => {}, onLingering: async () => {} };
  const seen = seeEnded({ read } as unknown as Reader, own, watched);
  const outcome = await seen.read({
    database: '',
    sql: '',
    timeoutMs,
    mostRows: 1,
    mostBytes: 1,
    signal,
  });
  return { runs, outcome };
};

test('a statement that a starting server ends again is run until it is answered, within its own time', async () => {
  expect(await reading(3, 10_000)).toMatchObject({ runs: 4, outcome: { kind: 'done', again: true } });
});

test('whose time is over has one more run, and no third', async () => {
  expect(await reading(3, 0)).toMatchObject({ runs: 2, outcome: { kind: 'failed', again: true } });
});
