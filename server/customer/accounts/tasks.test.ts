import { afterAll, expect, test, vi } from 'vitest';
import { openTestAccounts, tokenIn } from '../../../test/accounts.ts';
import type { Mail, MailOutcome } from '../../ground/mail/index.ts';
import { openQueue } from '../../ground/queue/index.ts';
import { accountMails } from './mails/account-mails.ts';
import { activate } from './opening/activate.ts';
import { register } from './opening/register.ts';
import { forgotPassword } from './sessions/forgot-password.ts';
import { findSession, startSession } from './sessions/session.ts';
import { findByEmail } from './store.ts';
import { accountTasks } from './tasks.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { deps, db, pool, taskDeps } = room;
const { signal } = new AbortController();

const tasksWith = (send: (mail: Mail) => Promise<MailOutcome>) =>
  accountTasks({ ...taskDeps, mailer: { send, close: async () => {} } });

const tokens = async (email: string): Promise<number> => {
  const { rows } = await pool.query(
    'select count(*)::int as count from mail_tokens join accounts on accounts.id = account_id where email = $1',
    [email],
  );
  return rows[0].count;
};

const registered = async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'some password' });
  return { ...visitor, job: room.jobs.splice(0)[0]?.data };
};

test('a mail that fails is tried again under the same id with a new token, and both links are good', async () => {
  const { job, address } = await registered();
  const mails: Mail[] = [];
  const task = tasksWith(async (mail) => {
    mails.push(mail);
    if (mails.length === 1) throw new Error('connection lost');
    return { outcome: 'accepted' };
  })[accountMails.task];
  await expect(task?.run(job, signal)).rejects.toThrow('connection lost');
  await task?.run(job, signal);
  expect(mails[1]?.messageId).toBe(mails[0]?.messageId);
  expect(mails[1]?.messageId).toMatch(/^[\w-]{36}@posthorn\.example$/);
  expect(tokenIn(mails[1])).not.toBe(tokenIn(mails[0]));
  // The first may have arrived after all.
  await activate(deps, { token: tokenIn(mails[0]), address });
});

test('a mail that is refused for good is logged and not tried again', async () => {
  const { job } = await registered();
  const task = tasksWith(async () => ({ outcome: 'refused', reason: 'the mail server answered 550' }))[
    accountMails.task
  ];
  await task?.run(job, signal);
  expect(room.warnings.at(-1)).toEqual({
    accountId: expect.any(String),
    kind: 'activate',
    reason: 'the mail server answered 550',
  });
});

test('a mail that is given up is logged without the email', async () => {
  const { email, ...visitor } = room.newVisitor();
  await forgotPassword(deps, { ...visitor, email });
  await accountTasks(taskDeps)[accountMails.task]?.onGiveUp?.(room.jobs.splice(0)[0]?.data);
  expect(room.warnings.at(-1)).toMatchObject({ kind: 'reset' });
  expect(JSON.stringify(room.warnings)).not.toContain(email);
});

test('the activation mail of an account that has become active meanwhile is not sent', async () => {
  const { job, email } = await registered();
  await pool.query('update accounts set activated_at = now() where email = $1', [email]);
  await tasksWith(() => Promise.reject(new Error('must not be sent')))[accountMails.task]?.run(job, signal);
  expect(await tokens(email)).toBe(0);
});

test('expired sessions and tokens are removed, the others stay', async () => {
  const { accountId, email, ...visitor } = await room.activeAccount();
  const [ended, going] = [await startSession(db, accountId), await startSession(db, accountId)];
  await forgotPassword(deps, { ...visitor, email });
  await room.deliver();
  await pool.query(`update mail_tokens set expires_at = now() where account_id = $1`, [accountId]);
  await forgotPassword(deps, { ...visitor, email });
  await room.deliver();
  const { sessionHash } = (await findSession(db, ended)) ?? {};
  await pool.query('update sessions set expires_at = now() where token_hash = $1', [sessionHash]);
  await accountTasks(taskDeps)['accounts.remove-expired-tokens']?.run({}, signal);
  const { rows } = await pool.query('select count(*)::int as count from sessions where account_id = $1', [
    accountId,
  ]);
  expect(rows[0].count).toBe(1);
  expect(await findSession(db, going)).toBeDefined();
  expect(await tokens(email)).toBe(1);
});

test('accounts that were not activated within thirty days are removed, the others stay', async () => {
  const [old, young, active] = [await registered(), await registered(), await room.activeAccount()];
  await pool.query(`update accounts set created_at = now() - interval '31 days' where email = any($1)`, [
    [old.email, active.email],
  ]);
  await accountTasks(taskDeps)['accounts.remove-unactivated']?.run({}, signal);
  expect(await findByEmail(db, old.email)).toBeUndefined();
  expect(await findByEmail(db, young.email)).toBeDefined();
  expect(await findByEmail(db, active.email)).toBeDefined();
});

test('through the real queue a mail is sent if and only if the registration is committed', async () => {
  const errors: Error[] = [];
  const queue = await openQueue({ url: room.url, worker: true, onError: (error) => errors.push(error) });
  const mails: Mail[] = [];
  const tasks = tasksWith(async (mail) => {
    mails.push(mail);
    return { outcome: 'accepted' };
  });
  await queue.declare(tasks);
  await queue.work(tasks);
  const lost = room.newVisitor();
  const failing: typeof queue.send = async (...job) => {
    await queue.send(...job);
    throw new Error('lost');
  };
  await expect(
    register({ ...deps, queue: { send: failing } }, { ...lost, password: 'some password' }),
  ).rejects.toThrow('lost');
  const kept = room.newVisitor();
  await register({ ...deps, queue }, { ...kept, password: 'some password' });
  await vi.waitFor(() => expect(mails).toHaveLength(1), { interval: 20 });
  expect(mails[0]?.to).toBe(kept.email);
  expect(await findByEmail(db, lost.email)).toBeUndefined();
  await queue.stop(5_000);
  expect(errors).toEqual([]);
});
