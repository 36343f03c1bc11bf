import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Program, startProgram } from './program.ts';

const FAILED_LOGINS_ALLOWED = 10;

let a: Program;
let b: Program;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-two-'));
  undo.push(database.drop, () => rm(folder, { recursive: true, force: true }));
  const env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  const start = (name: string, roles: string) =>
    startProgram({ dataDir: join(folder, name), env, args: ['--roles', roles] });
  // Together, so that they also migrate concurrently.
  [a, b] = await Promise.all([start('a', 'web'), start('b', 'web,worker')]);
  undo.unshift(() => Promise.all([a.stop(), b.stop()]));
});
afterAll(async () => {
  for (const step of undo) await step();
});

const person = () => ({
  email: `${randomBytes(6).toString('hex')}@example.com`,
  password: 'correct horse battery',
});

/** Registers at one process; the other one, which has the worker, writes the mail. */
const newSession = async (account = person()): Promise<string> => {
  const { status } = await callApi(a.url, 'POST /account/register', { body: account });
  expect(status).toBe(200);
  const { reply } = await callApi(a.url, 'POST /activate', {
    body: { token: await mailedToken(b.url, account.email) },
  });
  return reply.token;
};

test('a session that began at one process is known to the other', async () => {
  const token = await newSession();
  for (const { url } of [a, b])
    expect((await callApi(url, 'GET /account/me/profile', { token })).status).toBe(200);
});

test('signing out at one process ends the session at the other', async () => {
  const token = await newSession();
  expect((await callApi(b.url, 'POST /account/logout', { token })).status).toBe(200);
  for (const { url } of [a, b])
    expect((await callApi(url, 'GET /account/me/profile', { token })).status).toBe(401);
});

test('failed sign-ins count together, whichever process they come to', async () => {
  const account = person();
  await newSession(account);
  const wrong = { ...account, password: 'wrong horse battery' };
  const statuses: number[] = [];
  for (let at = 0; at < FAILED_LOGINS_ALLOWED + 2; at += 1) {
    const { url } = at % 2 === 0 ? a : b;
    statuses.push((await callApi(url, 'POST /account/login', { body: wrong })).status);
  }
  expect(statuses).toEqual([...Array(FAILED_LOGINS_ALLOWED).fill(401), 429, 429]);
  // Now even the right password is refused, at either process.
  for (const { url } of [a, b])
    expect((await callApi(url, 'POST /account/login', { body: account })).status).toBe(429);
});
