import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reply } from '../contract/calls.ts';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { MessageId } from '../contract/traffic/messages.ts';
import { INVALID_CONTACT } from '../contract/traffic/verdicts.ts';
import { createAccount, openPasswords } from '../server/customer/accounts/index.ts';
import { readWallet, spend } from '../server/customer/wallet/index.ts';
import { compareBalances } from '../server/customer/wallet/testing/index.ts';
import { startEmbedded } from '../server/ground/embedded-postgres/index.ts';
import { type Db, migrate, openDatabase } from '../server/ground/postgres/index.ts';
import { callApi } from '../test/api.ts';
import { findMiscounted } from '../test/miscounted.ts';
import { type Program, startProgram } from '../test/program.ts';
import type { Definition } from './definition.ts';

const PRICE_MICROS = 32_051n;
const DOLLARS = 400;
const PASSWORD = randomBytes(12).toString('hex');
const LIMIT_MS = 600_000;

/** Messages that a customer has paid for, and that wait in a lane which nobody serves. */
const storeWaiting = (db: Db, accountId: AccountId, count: number): Promise<MessageId[]> =>
  db.transaction().execute(async (trx) => {
    const batchId = randomUUID();
    const totalMicros = PRICE_MICROS * BigInt(count);
    const deps = { db: trx, queue: { send: async () => {} } };
    const { entryId } = await spend(deps, {
      accountId,
      amountMicros: totalMicros,
      cause: `batch:${batchId}`,
    });
    await sql`insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros)
      values (${batchId}, ${accountId}, 'sms', 'CSV', false, ${entryId}::bigint, ${count}, ${totalMicros})`.execute(
      trx,
    );
    const { rows } = await sql<{ id: MessageId }>`
      with shelf as (
        insert into lanes (name, channel, provider, simulated) values ('shelf', 'sms', 'smpp', false) returning id
      )
      insert into messages (id, account_id, batch_id, lane_id, channel, type, status, recipient_raw, recipient, country,
        message, segment, price_micros, priority, created_at, updated_at)
      select gen_random_uuid(), ${accountId}, ${batchId}, shelf.id, 'sms', 'outgoing', 'PENDING', '+85261112222',
        '+85261112222', 'HK', 'hello', 1, ${PRICE_MICROS}, 1, now(), now()
      from shelf cross join generate_series(1, ${count}) returning id`.execute(trx);
    return rows.map(({ id }) => id);
  });

/** Messages whose refunds, less the charges that took them back, are not what their status means. */
const countWrongRefunds = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages m cross join lateral (
      select count(*) as times, array_agg(refunded_as) as names from ledger_recaptures
      where account_id = m.account_id and item = 'message:' || m.id
    ) again cross join lateral (
      select count(*) as times from ledger_refunds
      where account_id = m.account_id and item = any(array['message:' || m.id] || again.names)
    ) back
    where back.times - again.times <> case m.status when 'FAILED' then 1 else 0 end`.execute(db);
  return rows[0]?.count ?? 0;
};

const countBy = async (
  db: Db,
): Promise<{ success: number; failed: number; others: number; waiting: number }> => {
  const { rows } = await sql<{ success: number; failed: number; others: number; waiting: number }>`
    select count(*) filter (where status = 'SUCCESS')::int as success,
      count(*) filter (where status = 'FAILED')::int as failed,
      count(*) filter (where status not in ('SUCCESS', 'FAILED'))::int as others,
      (select count(*)::int from outbox_chunks) as waiting
    from messages`.execute(db);
  return rows[0] ?? { success: 0, failed: 0, others: 0, waiting: 0 };
};

type BulkAction = Reply<'GET /admin/bulkActions/:actionId'>['action'];

const decided = (actions: BulkAction[]): number =>
  actions.reduce((sum, { changed, unchanged, refused }) => sum + changed + unchanged + refused, 0);

interface Started {
  token: string;
  actionId: string;
}

/** How far both have got. */
const progressOf = (program: Program, started: Started[]): Promise<BulkAction[]> =>
  Promise.all(
    started.map(async ({ token, actionId }) => {
      const answer = await callApi(program.url, 'GET /admin/bulkActions/:actionId', {
        token,
        params: { actionId },
      });
      if (answer.status !== 200) throw new Error(answer.error.code);
      return answer.reply.action;
    }),
  );

/** Waits until it is so, and adds to what was seen on the way. */
const follow = async (
  ask: () => Promise<BulkAction[]>,
  seen: Set<number>,
  isSo: (actions: BulkAction[]) => boolean,
): Promise<void> => {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const actions = await ask();
    seen.add(decided(actions));
    if (isSo(actions)) return;
    if (Date.now() > end) throw new Error(`they are ${JSON.stringify(actions)}`);
    await sleep(50);
  }
};

/** Two admins who decide the opposite about the same messages, through a kill of the program. */
const definition: Definition = {
  title: 'Bulk actions of two admins through kill -9',
  run: async ({ quick }) => {
    // So many that they are not all decided before anybody looks.
    const count = quick ? 1_500 : 10_000;
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-office-'));
    const embedded = await startEmbedded({ dataDir, say: () => {} });
    const key = randomBytes(32);
    const { db, close } = openDatabase({ url: embedded.url, max: 3, onError: () => {} });
    const env = { DATABASE_URL: embedded.url, SECRET_KEY: key.toString('hex'), LIMITS_FACTOR: '100000' };
    const start = () => startProgram({ dataDir, env });
    try {
      await migrate(embedded.url);
      const deps = { db, passwords: openPasswords(), secretKey: key };
      const make = async (name: string, admin: boolean): Promise<AccountId> => {
        const given = { email: `${name}@example.com`, password: PASSWORD, active: true };
        const id = await createAccount(deps, { ...given, admin, language: 'en_US' });
        if (!id) throw new Error(`there is a ${name} already`);
        return id;
      };
      const accountId = await make('customer', false);
      for (const name of ['anna', 'ben']) await make(name, true);
      let program = await start();
      const signIn = async (name: string): Promise<string> => {
        const body = { email: `${name}@example.com`, password: PASSWORD };
        return (await callApi(program.url, 'POST /account/login', { body })).reply.token;
      };
      const [anna, ben] = [await signIn('anna'), await signIn('ben')];
      const added = await callApi(program.url, 'POST /account/:accountId/adjustment', {
        token: anna,
        params: { accountId },
        body: { amount: DOLLARS, reason: 'the proof' },
      });
      if (added.status !== 200) throw new Error(added.error.code);
      const before = (await readWallet(db, accountId)).balanceMicros;
      const ids = await storeWaiting(db, accountId, count);

      const begun = performance.now();
      const begin = async (
        token: string,
        body: { action: 'SUCCESS' | 'FAILED'; ids?: MessageId[]; search?: { accountId: AccountId } },
      ): Promise<Started> => {
        const answer = await callApi(program.url, 'POST /admin/bulkActions', {
          token,
          body: { ...INVALID_CONTACT, ...body },
        });
        if (answer.status !== 200) throw new Error(answer.error.code);
        return { token, actionId: answer.reply.action._id };
      };
      const started = [
        await begin(anna, { action: 'FAILED', search: { accountId } }),
        await begin(ben, { action: 'SUCCESS', ids: ids.toReversed() }),
      ];
      const seen = new Set<number>();
      const ask = () => progressOf(program, started);
      await follow(ask, seen, (actions) => decided(actions) >= count / 5);
      await program.kill();
      const killedAt = Math.max(...seen);
      program = await start();
      await follow(ask, seen, (actions) => actions.every(({ state }) => state === 'DONE'));
      const seconds = (performance.now() - begun) / 1000;
      const ended = await ask();
      await program.stop();

      const { success, failed, others, waiting } = await countBy(db);
      const { balanceMicros } = await readWallet(db, accountId);
      const { differing } = await compareBalances(db);
      const figures = {
        messages: success + failed,
        undecided: others + waiting,
        decisionsMissing: 2 * count - decided(ended),
        refused: ended.reduce((sum, action) => sum + action.refused, 0),
        wrongRefunds: await countWrongRefunds(db),
        microsMissing: Number(before - PRICE_MICROS * BigInt(success) - balanceMicros),
        differences: differing.length,
        miscounted: (await findMiscounted(db)).length,
        progressSeen: seen.size,
      };
      return {
        rows: [
          {
            messages: count,
            'decided at the kill': killedAt,
            'both done after (s)': seconds,
            success,
            failed,
          },
        ],
        figures,
        bars: [
          { figure: 'messages', min: count, max: count },
          ...['undecided', 'decisionsMissing', 'refused', 'wrongRefunds', 'differences', 'miscounted'].map(
            (figure) => ({ figure, max: 0 }),
          ),
          { figure: 'microsMissing', min: 0, max: 0 },
          { figure: 'progressSeen', min: 2 },
        ],
      };
    } finally {
      await close();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
