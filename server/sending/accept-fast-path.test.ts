import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, MessageId } from '../../contract/messages.ts';
import { openTestMessages } from '../../test/messages.ts';
import { newId } from '../postgres/index.ts';
import { openFastPath } from './accept-fast-path.ts';
import { place, prepare, readTerms } from './prepare.ts';
import type { SendingRouteDeps } from './routes.ts';

const room = await openTestMessages();
const { db } = room;
const PRICE = 32_051n;
let deps: SendingRouteDeps;
beforeAll(async () => {
  await room.addLane({ name: 'sms', channel: 'sms' });
  deps = await room.open();
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const flushOf = async (accountIds: AccountId[]) => {
  const [accountId] = accountIds as [AccountId];
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const prepared = prepare(terms, { recipientRaw: '61112222', message: 'hello' });
  const groups = accountIds.map((accountId) => ({
    batch: {
      id: newId() as BatchId,
      accountId,
      channel: 'sms' as const,
      kind: 'API' as const,
      test: false,
      schedule: undefined,
    },
    members: [{ priceMicros: PRICE }, { priceMicros: PRICE }],
  }));
  const messages = groups.flatMap(({ batch, members }) =>
    members.map(() => ({
      ...prepared,
      ...place(terms, prepared),
      id: newId() as MessageId,
      batchId: batch.id,
    })),
  );
  return { groups, messages };
};

const leftNothing = async (accountId: AccountId, balance: bigint) => {
  expect(await room.messagesOf(accountId)).toEqual([]);
  expect(await room.balance(accountId)).toBe(balance);
};

test('messages of several accounts are stored and paid, each account by one entry', async () => {
  const accounts = [await room.funded(100), await room.funded(200)];
  room.woken.length = 0;
  const paid = await openFastPath(deps)(await flushOf(accounts));
  expect(paid?.map(({ balanceMicros }) => balanceMicros)).toEqual([
    100_000_000n - 2n * PRICE,
    200_000_000n - 2n * PRICE,
  ]);
  expect(room.woken).toHaveLength(1);
  for (const [at, accountId] of accounts.entries()) {
    expect(await room.messagesOf(accountId)).toHaveLength(2);
    const { rows } = await sql`select b.id from batches b join ledger_entries e on e.id = b.capture_id
      where b.account_id = ${accountId} and e.account_id = ${accountId} and b.total_micros = -e.available_micros`.execute(
      db,
    );
    expect(rows).toEqual([{ id: paid?.[at]?.batch.id }]);
  }
});

test('one balance that does not suffice leaves nothing of anybody behind, and the next flush does not try', async () => {
  const [rich, poor] = [await room.funded(100), await room.funded(0.05)];
  const acceptFast = openFastPath(deps);
  expect(await acceptFast(await flushOf([rich, poor]))).toBeUndefined();
  await leftNothing(rich, 100_000_000n);
  await leftNothing(poor, 50_000n);
  expect(await acceptFast(await flushOf([rich]))).toBeUndefined();
  expect(await openFastPath(deps)(await flushOf([rich]))).toBeDefined();
});

test('unexpected opt-outs, an account twice in a flush and an account with a subscriber take the general path', async () => {
  const accountId = await room.funded(100);
  expect(await openFastPath(deps)(await flushOf([accountId, accountId]))).toBeUndefined();
  expect(
    await openFastPath({ ...deps, hasSubscriber: () => true })(await flushOf([accountId])),
  ).toBeUndefined();
  await sql`insert into opt_outs (account_id, channel, recipient, source, note)
    values (${accountId}, 'sms', '+85269998888', 'MANUAL', '')`.execute(db);
  expect(await openFastPath(deps)(await flushOf([accountId]))).toBeUndefined();
  await leftNothing(accountId, 100_000_000n);
  const havingOptOuts = new Set([accountId]);
  expect(await openFastPath({ ...deps, havingOptOuts })(await flushOf([accountId]))).toBeDefined();
});

test('a fault of the database is passed on', async () => {
  const accountId = await room.funded(100);
  const { groups, messages } = await flushOf([accountId]);
  const [first] = messages;
  if (!first) throw new Error('nothing to send');
  await expect(openFastPath(deps)({ groups, messages: [first, first] })).rejects.toThrow(/duplicate key/);
  await leftNothing(accountId, 100_000_000n);
});
