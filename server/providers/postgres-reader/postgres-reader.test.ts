import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { openHangingServer } from '../../office/query/testing/hanging-server.ts';
import { openTestJudging } from '../../office/query/testing/judging.ts';
import { makeTestZones } from '../../office/query/testing/postgres.ts';
import { openPostgresReader } from './index.ts';

let database: TestDatabase;
let zones: Awaited<ReturnType<typeof makeTestZones>>;
const judging = openTestJudging();
afterAll(judging.close);
beforeAll(async () => {
  database = await testDatabase();
  zones = await makeTestZones(database);
});
afterAll(async () => {
  await zones?.close();
  await database?.close();
});

/** Asks a server that hangs as soon as it is told this. */
const openHanging = async (mark: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-hangs-'));
  const { host, port = 5432 } = zones.hk;
  const name = `.s.PGSQL.${port}`;
  const server = await openHangingServer({ path: join(folder, name), target: join(host, name), mark });
  const reader = openPostgresReader({ ...zones.hk, host: folder }, judging.of('postgres'));
  const request = { database: zones.database, sql: 'select 42', mostRows: 10, mostBytes: 1_000_000 };
  return {
    ...server,
    read: (limit: { timeoutMs: number; signal: AbortSignal }) => reader.read({ ...request, ...limit }),
    close: async () => {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** Whether it has said by then by what it knows the connection, which is then cut. */
const MOMENTS: [when: string, mark: string, known: boolean][] = [
  ['before it lets us in', 'application_name', false],
  ['when a transaction begins', 'begin transaction', false],
  ['when it is asked what its user may do', 'rolsuper', true],
  ['when it runs the statement', 'select 42', true],
  ['when it is asked for types', 'format_type', true],
];

test.each(MOMENTS)(
  'a server that hangs %s is left when the time is over, or the asker leaves',
  async (_, mark, known) => {
    const cut = known && { cut: expect.any(String) };
    const { read, hanging, close } = await openHanging(mark);
    expect(await read({ timeoutMs: 200, signal: new AbortController().signal })).toEqual({
      kind: 'timed_out',
      ...cut,
    });
    await expect.poll(hanging).toBe(0);
    const leaving = new AbortController();
    const outcome = read({ timeoutMs: 600_000, signal: leaving.signal });
    await expect.poll(hanging).toBe(1);
    leaving.abort();
    expect(await outcome).toEqual({ kind: 'cancelled', ...cut });
    await expect.poll(hanging).toBe(0);
    expect(await read({ timeoutMs: 600_000, signal: leaving.signal })).toEqual({ kind: 'cancelled' });
    await close();
  },
);

test('a server that does not hang up keeps neither the answer nor the connection', async () => {
  // The protocol's goodbye.
  const { read, hanging, close } = await openHanging('X\0\0\0\u0004');
  const outcome = await read({ timeoutMs: 600_000, signal: new AbortController().signal });
  expect(outcome).toMatchObject({ kind: 'done', rows: [['42']] });
  await expect.poll(hanging).toBe(0);
  await close();
});
