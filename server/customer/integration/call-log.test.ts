import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { calls } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { testDatabase } from '../../../test/database.ts';
import { openCallLog } from './call-log.ts';
import { listCalls } from './list-calls.ts';
import type { MadeCall } from './made-call.ts';
import { integrationTasks } from './tasks.ts';

const database = await testDatabase();
const { db, pool } = database;
afterAll(database.close);

const newAccountId = () => randomUUID() as string as AccountId;
const call = (accountId: AccountId, facts: Partial<MadeCall> = {}): MadeCall => ({
  accountId,
  test: false,
  atMs: Date.now(),
  method: 'POST',
  path: '/api/sms/send',
  status: 200,
  durationMs: 3.2,
  requestId: randomUUID(),
  answer: JSON.stringify({ phone: '+85261112222' }),
  ...facts,
});
const openLog = (most?: number) => {
  const warnings: object[] = [];
  const log = openCallLog({ db, log: { warn: (facts: object) => void warnings.push(facts) } as never }, most);
  return { ...log, warnings };
};
const list = (accountId: AccountId, asked: Partial<Parameters<typeof listCalls>[1]> = {}) =>
  listCalls(db, { accountId, outcome: undefined, before: undefined, limit: 50, ...asked });

test('all calls of a busy second are listed as the contract says', async () => {
  const accountId = newAccountId();
  const { add, close } = openLog();
  for (let at = 0; at < 4_999; at += 1) add(call(accountId));
  await close();
  const { reply } = calls['GET /account/:accountId/apiCalls'];
  const first = reply.parse(await list(accountId, { limit: 2 }));
  expect(first).toMatchObject({ more: true, total: 4_999 });
  expect(first.calls[0]?._id).toMatch(/\.4998$/);
  const next = reply.parse(await list(accountId, { limit: 1, before: first.calls[1]?._id }));
  expect(next.calls[0]?._id).toMatch(/\.4996$/);
});

test('a call is listed with what it was answered, numbers masked', async () => {
  const accountId = newAccountId();
  const { add, close } = openLog();
  const made = call(accountId, { atMs: Date.now() - 5, test: true });
  add(made);
  await close();
  expect(await list(accountId)).toEqual({
    calls: [
      {
        _id: expect.stringMatching(/^[0-9a-f-]{36}\.0$/),
        at: new Date(made.atMs).toISOString(),
        method: 'POST',
        path: '/api/sms/send',
        channel: 'sms',
        test: true,
        status: 200,
        code: null,
        durationMs: 3.2,
        requestId: made.requestId,
        answer: { phone: '+852***22' },
      },
    ],
    more: false,
    total: 1,
  });
  expect(await list(newAccountId())).toEqual({ calls: [], more: false, total: 0 });
});

test('many calls of several accounts come back in their order, page by page, each once', async () => {
  const [one, other] = [newAccountId(), newAccountId()];
  const { add, close } = openLog();
  const begun = Date.now() - 10_000;
  const made = Array.from({ length: 1_234 }, (_, at) =>
    call(at % 3 === 0 ? other : one, { atMs: begun + at, status: at % 100 === 1 ? 400 : 200 }),
  );
  for (const [at, each] of made.entries()) {
    add(each);
    // In several writes, so that pages end within packs and between them.
    if (at % 97 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await close();
  for (const accountId of [one, other])
    for (const outcome of [undefined, 'REFUSED', 'FAILED'] as const) {
      const wanted = made
        .filter((each) => each.accountId === accountId)
        .filter(({ status }) => outcome === undefined || (outcome === 'REFUSED' && status === 400))
        .map(({ requestId }) => requestId)
        .reverse();
      const seen: string[] = [];
      let before: string | undefined;
      for (;;) {
        const page = await list(accountId, { outcome, before, limit: 77 });
        expect(page.total).toBe(wanted.length);
        seen.push(...page.calls.map(({ requestId }) => requestId));
        before = page.calls.at(-1)?._id;
        if (!page.more) break;
      }
      expect(seen).toEqual(wanted);
    }
});

test('calls that are a day old are no longer shown', async () => {
  const accountId = newAccountId();
  const { add, close } = openLog();
  const day = 24 * 3_600_000;
  add(call(accountId, { atMs: Date.now() - day - 60_000 }));
  add(call(accountId, { atMs: Date.now() - day + 60_000, requestId: 'yesterday' }));
  await close();
  expect((await list(accountId)).calls.map(({ requestId }) => requestId)).toEqual(['yesterday']);
});

test('under overload the oldest are dropped, and the log says how many', async () => {
  const accountId = newAccountId();
  const { add, close, warnings } = openLog(1_000);
  // Nothing is written before this turn of the event loop ends.
  for (let at = 0; at < 2_000; at += 1) add(call(accountId, { requestId: String(at) }));
  await close();
  const kept = (await list(accountId, { limit: 2_000 })).calls.map(({ requestId }) => Number(requestId));
  expect(kept[0]).toBe(1_999);
  const dropped = warnings.reduce((sum, facts) => sum + (facts as { calls: number }).calls, 0);
  expect(dropped).toBeGreaterThan(0);
  expect(kept.length + dropped).toBe(2_000);
});

test('what can’t be written is given up, and the log says so', async () => {
  const { add, close, warnings } = openLog();
  add(call('no id' as AccountId));
  await close();
  expect(warnings).toEqual([{ err: expect.any(Error), calls: 1 }]);
});

test('the partition whose turn comes next is emptied, the others are not', async () => {
  const accountId = newAccountId();
  const { rows } = await pool.query('select (extract(epoch from now())::bigint / 43200 % 4)::int as slot');
  const { slot } = rows[0];
  for (const offset of [0, 1, 2, 3])
    await pool.query(
      `insert into api_calls (slot, account_id, id, last_at, succeeded, refused, failed, calls)
       values ($1, $2, gen_random_uuid(), now(), 1, 0, 0, $3)`,
      [(slot + offset) % 4, accountId, Buffer.from('\0[]')],
    );
  const tasks = integrationTasks({ db });
  for (let times = 0; times < 2; times += 1)
    await tasks['integration.remove-old-calls']?.run({}, new AbortController().signal);
  const left = await pool.query('select slot from api_calls where account_id = $1 order by slot', [
    accountId,
  ]);
  expect(left.rows.map((row) => row.slot)).toEqual([0, 1, 2, 3].filter((one) => one !== (slot + 1) % 4));
});
