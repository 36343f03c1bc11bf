import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountId } from '../contract/customer/accounts.ts';
import { createAccount, openPasswords } from '../server/customer/accounts/index.ts';
import { joinEmbedded, readPidFile } from '../server/ground/embedded-postgres/index.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import {
  MARIADB_USER,
  startMariadb,
  WHY_NO_MARIADB,
} from '../server/providers/mysql-reader/testing/mariadb.ts';
import { callApi } from '../test/api.ts';
import { startProgram } from '../test/program.ts';
import { treeOf } from './measuring/processes.ts';

const PASSWORD = randomBytes(12).toString('hex');

/** Of all processes of a server, what they share counted once, in megabytes. */
const memoryOf = async (pids: number[]): Promise<number> => {
  const shares = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return shares.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
};

/** The whole program with its own databases, a MariaDB beside it where one is installed, and people. */
export const openQueryScene = async (dataDir: string) => {
  const ending = new AsyncDisposableStack();
  try {
    const mariadb = WHY_NO_MARIADB ? undefined : await startMariadb();
    if (mariadb) ending.defer(mariadb.stop);
    const key = randomBytes(32);
    const program = await startProgram({
      dataDir,
      env: {
        SECRET_KEY: key.toString('hex'),
        LIMITS_FACTOR: '100000',
        ...(mariadb && {
          QUERY_MARIADB_URL: `mysql://root@localhost/?socketPath=${encodeURIComponent(mariadb.socket)}`,
        }),
      },
    });
    ending.defer(async () => void (await program.stop()));
    const money = await joinEmbedded(dataDir);
    if (!money) throw new Error('the program has no database of its own');
    const { db, pool, close } = openDatabase({ url: money.url, max: 2, onError: () => {} });
    ending.defer(close);
    const deps = { db, passwords: openPasswords(), secretKey: key };
    let people = 0;
    const makeAdmin = async (): Promise<{ accountId: AccountId; token: string }> => {
      people += 1;
      const given = { email: `analyst${people}@example.com`, password: PASSWORD };
      const accountId = await createAccount(deps, { ...given, active: true, admin: true, language: 'en_US' });
      if (!accountId) throw new Error('the account is there already');
      const { reply } = await callApi(program.url, 'POST /account/login', { body: given });
      return { accountId, token: reply.token };
    };
    /** Another one after each end by force of the server as a whole. */
    const zonesServer = async (): Promise<number> =>
      (await readPidFile(join(dataDir, 'query-database/postgres')))?.pid ?? 0;
    /** Of analysts in the MariaDB. */
    const threads = async (): Promise<string[]> => {
      const [rows] = (await mariadb?.root.query('show processlist')) ?? [[]];
      return (rows as { Id: number; User: string }[])
        .filter(({ User }) => User === MARIADB_USER)
        .map(({ Id }) => `thread ${Id}`);
    };
    return {
      db,
      engines: { 1: 'postgres', 11: mariadb ? 'mysql' : 'postgres' } as const,
      makeAdmin,
      /** Why there is no answer; undefined if there is one. */
      query: async (token: string, zoneId: number, sql: string): Promise<string | undefined> => {
        const database = zoneId === 1 ? 'merchant_hk' : 'merchant_oversea_qa';
        const body = { zone_id: zoneId, database, sql };
        const { status, reply } = await callApi(program.url, 'POST /qf/sql_query', { token, body });
        if (status !== 200) return `status ${status}`;
        return reply.success ? undefined : `zone ${zoneId}: ${reply.msg}`;
      },
      startOfMoney: async (): Promise<string> =>
        String((await pool.query('select pg_postmaster_start_time() as at')).rows[0].at),
      /** What the zones' servers are doing, and how much memory the one of our own has. */
      look: async (): Promise<{ backends: string[]; megabytes: number }> => {
        const family = treeOf(await zonesServer());
        const working = family.filter(({ command }) => command.startsWith('postgres: posthorn_query '));
        return {
          backends: [...working.map(({ pid }) => `process ${pid}`), ...(await threads())],
          megabytes: await memoryOf(family.map(({ pid }) => pid)),
        };
      },
      close: () => ending.disposeAsync(),
    };
  } catch (error) {
    await ending.disposeAsync();
    throw error;
  }
};

export type QueryScene = Awaited<ReturnType<typeof openQueryScene>>;
