import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '../../server/ground/embedded-postgres/index.ts';
import { startMariadb, WHY_NO_MARIADB } from '../../server/providers/mysql-reader/testing/mariadb.ts';
import { callApi } from '../api.ts';
import { freePort, type Program } from '../program.ts';
import { running, usedDataDir } from './data-dir.ts';
import { familyOf, leftOf, postgresPid } from './processes.ts';

const QUERY_MAIN = fileURLToPath(new URL('../../server/query-main.ts', import.meta.url));
const WAIT = { timeout: 60_000, interval: 200 };
const QUERY = { zone_id: 1, database: 'merchant_hk', sql: 'select count(*) from merchant' };
const COUNTED = { success: true, data: { rows: [['320']] } };

type Person = 'admin' | 'customer';
const readPerson = async (dataDir: string, who: Person) =>
  JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'))[who];
const signIn = async ({ url }: Program, dataDir: string, who: Person = 'admin'): Promise<string> =>
  (await callApi(url, 'POST /account/login', { body: await readPerson(dataDir, who) })).reply.token;

/** Of the service: its command line says so. */
const servicePid = async (program: Program): Promise<number | undefined> => {
  for (const pid of await familyOf(program.process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('query-main.ts')) return pid;
  }
  return undefined;
};

test.skipIf(process.platform !== 'linux')(
  'the query service is started again if it is killed, and ends with the program, however that ends',
  async () => {
    const dataDir = await usedDataDir();
    const program = await running({ dataDir });
    const token = await signIn(program, dataDir);
    const ask = async () => (await callApi(program.url, 'POST /qf/sql_query', { token, body: QUERY })).reply;
    await expect.poll(ask, WAIT).toMatchObject(COUNTED);
    const first = (await servicePid(program)) ?? 0;
    process.kill(first, 'SIGKILL');
    await expect.poll(async () => (await servicePid(program)) ?? first, WAIT).not.toBe(first);
    await expect.poll(ask, WAIT).toMatchObject(COUNTED);

    const family = await familyOf(program.process.pid);
    await program.kill();
    expect(await leftOf(family, 60_000)).toEqual([]);
  },
);

/** It hears no cancel, and would run for days. */
const DEAF = { ...QUERY, sql: "select strpos(repeat('a', 600000), 'b' || repeat('a', 200000))" };

test('who made two statements be ended by force has no turn, after a restart too, until an owner gives it back', async () => {
  const dataDir = await usedDataDir();
  const before = await running({ dataDir });
  let token = await signIn(before, dataDir);
  const asking = (program: Program) => async (body: typeof QUERY) =>
    (await callApi(program.url, 'POST /qf/sql_query', { token, body })).reply;
  const ask = asking(before);
  await expect.poll(() => ask(QUERY), WAIT).toMatchObject(COUNTED);
  const money = await postgresPid(dataDir);
  for (const _ of ['first', 'second']) {
    const answer = ask(DEAF);
    // At work by then; one that is cancelled before is not ended by force.
    await sleep(5_000);
    await callApi(before.url, 'POST /qf/sql_cancel', { token, body: {} });
    expect(await answer).toMatchObject({ data: { outcome: 'cancelled' } });
  }
  const withheld = { success: false, data: { outcome: 'refused' }, msg: expect.stringContaining('by force') };
  expect(await ask(QUERY)).toMatchObject(withheld);
  expect(await postgresPid(dataDir)).toBe(money);
  await before.stop();

  const after = await running({ dataDir });
  token = await signIn(after, dataDir);
  const askAgain = asking(after);
  await expect.poll(() => askAgain(QUERY), WAIT).toMatchObject(withheld);
  const { turns } = (await callApi(after.url, 'GET /qf/withheld', { token })).reply;
  expect(turns).toHaveLength(1);
  const { accountId = '' } = turns[0] ?? {};
  const giveBack = async (by: string) =>
    (await callApi(after.url, 'DELETE /qf/withheld/:accountId', { token: by, params: { accountId } })).status;
  expect(await giveBack(token)).toBe(403);
  const { email } = await readPerson(dataDir, 'customer');
  await callApi(after.url, 'POST /admin/admins', { token, body: { email, role: 'owner' } });
  expect(await giveBack(await signIn(after, dataDir, 'customer'))).toBe(200);
  expect(await askAgain(QUERY)).toMatchObject(COUNTED);
});

test('the query service runs apart, and other programs call it with the key', async () => {
  const dataDir = await usedDataDir();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const key = 'a key that other programs have too';
  const web = await running({
    dataDir,
    args: ['--roles', 'web,worker'],
    env: { QUERY_URL: url, QUERY_KEY: key },
  });
  const token = await signIn(web, dataDir);
  const zones = () => callApi(web.url, 'GET /qf/zones', { token });
  expect(await zones()).toMatchObject({ status: 503, error: { code: 'E_QUERY_UNAVAILABLE' } });

  await running({
    dataDir,
    args: ['--roles', 'query'],
    env: { PORT: String(port), QUERY_PORT: String(port), QUERY_KEY: key },
  });
  expect((await zones()).reply.zones.map(({ id, name }) => `${id} ${name}`)).toEqual([
    '1 HK',
    '11 Oversea QA',
  ]);
  const call = async (authorization: string) =>
    fetch(`${url}/sql_query`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(QUERY),
    });
  expect((await call('Bearer wrong')).status).toBe(403);
  expect(await (await call(`Bearer ${key}`)).json()).toMatchObject(COUNTED);
});

test('the service of a program whose database is away waits for it, and does not become its owner', async () => {
  const dataDir = await usedDataDir();
  // It opens the log just before it looks for the database.
  await rm(join(dataDir, 'posthorn.log'));
  const service = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', QUERY_MAIN], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told = once(service, 'message');
  await using ending = new AsyncDisposableStack();
  await expect.poll(() => existsSync(join(dataDir, 'posthorn.log')), WAIT).toBe(true);
  // Long enough to have begun to start it, by which it would own it.
  await sleep(3_000);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  const database = await startEmbedded({ dataDir, fsync: false, say: () => {} });
  ending.defer(() => database.stop());
  ending.defer(async () => {
    service.disconnect();
    await once(service, 'exit');
  });
  const [message] = await told;
  expect(message).toMatchObject({ url: expect.stringContaining('http://127.0.0.1:') });
});

test.skipIf(WHY_NO_MARIADB)(
  `the merchants of the second zone are on the MariaDB that is set${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`,
  async () => {
    const mariadb = await startMariadb();
    let isUp = true;
    const stopMariadb = async () => {
      if (isUp) await mariadb.stop();
      isUp = false;
    };
    onTestFinished(stopMariadb);
    const dataDir = await usedDataDir();
    const url = `mysql://root@localhost/?socketPath=${encodeURIComponent(mariadb.socket)}`;
    const program = await running({ dataDir, env: { QUERY_MARIADB_URL: url } });
    const token = await signIn(program, dataDir);
    const second = { zone_id: 11, database: 'merchant_oversea_qa' };
    const ask = async (body: typeof QUERY) =>
      (await callApi(program.url, 'POST /qf/sql_query', { token, body })).reply;
    const askSecond = (sql: string) => ask({ ...second, sql });

    const onMariadb = { success: true, data: { rows: [[expect.stringMatching(/mariadb/i)]] } };
    await expect.poll(() => askSecond('select version()'), WAIT).toMatchObject(onMariadb);
    expect(await askSecond('select count(*) from merchant')).toMatchObject({ data: { rows: [['120']] } });
    expect(await askSecond('select distinct password_hash from profile')).toMatchObject({
      data: { rows: [['••••••']] },
    });
    // Neither the tables with the secrets nor what the given user may do is in reach.
    for (const sql of ['select * from merchant_oversea_qa_vault.profile', 'select * from mysql.global_priv'])
      expect(await askSecond(sql)).toMatchObject({ success: false });
    const { reply } = await callApi(program.url, 'POST /qf/merchants', {
      token,
      body: { ...second, term: 'QA100007' },
    });
    expect(reply).toMatchObject({ data: [{ merchant: { name: 'Siem Reap Tutoring' } }] });

    // The first zone is where it was, and stays there when the other database is gone.
    await stopMariadb();
    expect(await askSecond('select 1')).toMatchObject({ success: false, data: { outcome: 'failed' } });
    expect(await ask(QUERY)).toMatchObject(COUNTED);
  },
);
