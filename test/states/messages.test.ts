import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BULK_ACTIONS } from '../../contract/office/bulk-actions.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';
import { type Made, MESSAGE_STATES, openMessageStates } from './message-states.ts';
import { type Cell, MESSAGE_TABLE, type MessageAction, type MessageState } from './message-table.ts';
import { openScene, type Scene } from './scene.ts';
import { WRITES } from './writes.ts';

const ACTIONS = WRITES.message.flatMap((name): MessageAction[] =>
  name === 'POST /admin/bulkActions' ? BULK_ACTIONS.map((what) => `${name} ${what}` as const) : [name],
);
const START = 10_000_000n;

let scene: Scene;
let makers: Awaited<ReturnType<typeof openMessageStates>>;
beforeAll(async () => {
  const still = {
    name: 'still',
    simulated: false,
    isGoverned: () => true,
    carrier: () => {
      throw new Error('nobody opens it');
    },
  };
  scene = await openScene({ drivers: [still] });
  makers = await openMessageStates(scene);
});
afterAll(async () => {
  expect(await scene.misplaced()).toEqual([]);
  expect(await scene.miscounted()).toEqual([]);
  expect(await scene.differing()).toEqual([]);
  await scene.close();
});

interface Look {
  status: string;
  laneId: number | null;
  waits: boolean;
  claimed: boolean;
  batchId: string;
  paid: bigint;
}
const look = async ({ id, accountId }: Made): Promise<Look> => {
  const { rows } = await sql<Look>`
    select status, lane_id as "laneId", batch_id as "batchId",
      exists (select from outbox_chunks where m.id = any(ids)) as waits,
      exists (select from claims where m.id = any(ids)) as claimed
    from messages m where id = ${id}`.execute(scene.db);
  return { ...(rows[0] as Look), paid: START - (await scene.balance(accountId)) };
};

const BULK_REFUSALS: Record<string, string> = {
  'A worker has': 'E_BEING_SENT',
  'The message was withdrawn': 'E_MESSAGE_CANCELLED',
  'Not found': 'E_NOT_FOUND',
};
const bulk = async (action: string, { id }: Made): Promise<string | undefined> => {
  const body = { action, ids: [id], reason: '', errorCode: '' };
  const { _id } = (await scene.call('POST /admin/bulkActions', { body })).action as unknown as {
    _id: string;
  };
  await scene.runBulk(_id);
  const { results } = (await scene.call('GET /admin/bulkActions/:actionId/results', {
    params: { actionId: _id },
    query: { after: 0, limit: 10 },
  })) as unknown as { results: { outcome: string; reason: string }[] };
  const [{ outcome, reason } = { outcome: 'none', reason: '' }] = results;
  if (outcome !== 'refused') return undefined;
  if (action === 'TRANSFER') return 'E_NOT_TRANSFERRED';
  return Object.entries(BULK_REFUSALS).find(([text]) => reason.startsWith(text))?.[1] ?? reason;
};

/** Does it; returns the code of a refusal, or how many carriers are asked. */
const act = async (
  action: MessageAction,
  made: Made,
  batchId: string,
): Promise<string | number | undefined> => {
  const { accountId, id } = made;
  const job = { params: { jobId: id }, body: { reason: '', errorCode: '' } };
  switch (action) {
    case 'POST /messages/:messageId/cancel':
      return scene.refusal(action, { accountId, params: { messageId: id } });
    case 'POST /batches/:batchId/cancel':
    case 'POST /batches/:batchId/resend':
      return batchId === null ? 'E_NOT_FOUND' : scene.refusal(action, { accountId, params: { batchId } });
    case 'POST /message/:jobId/success':
    case 'POST /message/:jobId/failed':
      return scene.refusal(action, job);
    case 'POST /job/:jobId/transfer':
      return scene.refusal(action, { ...job, body: {} });
    case 'POST /admin/inDoubt/ask':
      return (await scene.call(action, { body: { ids: [id] } })).asked as unknown as number;
    default:
      return bulk(action.split(' ').at(-1) ?? '', made);
  }
};

/** The cell that what was seen amounts to. */
const cellOf = (before: Look, after: Look, answer: string | number | undefined): Cell => {
  if (typeof answer === 'string') {
    expect(after, 'what is refused changes nothing').toEqual(before);
    return answer as Cell;
  }
  if (answer === 1) return 'asks';
  if (after.status !== before.status || after.paid !== before.paid) return after.status as Cell;
  return after.laneId === before.laneId ? 'stays' : 'moves';
};

test('every write of admins and customers is known to be about a message, a lane, a phone, a device or neither', () => {
  const guards = ['admin', 'customer', 'sender'];
  const writes = listEndpoints().filter(({ guard, method }) => guards.includes(guard) && method !== 'GET');
  expect(writes.map(({ name }) => name).toSorted()).toEqual(Object.values(WRITES).flat().toSorted());
});

test('the table has a row for every state of a message, and a cell for every action', () => {
  expect(Object.keys(MESSAGE_TABLE).toSorted()).toEqual(MESSAGE_STATES.toSorted());
  for (const [state, row] of Object.entries(MESSAGE_TABLE))
    expect(Object.keys(row).toSorted(), state).toEqual(ACTIONS.toSorted());
});

test('the statuses of the contract are those of the database', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'messages'::regclass and conname = 'messages_status_check'`.execute(scene.db);
  const statuses = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, status]) => status);
  const known = MESSAGE_STATES.filter((state) => state.startsWith('ended: ')).map((state) => state.slice(7));
  expect(statuses.toSorted()).toEqual([...known, 'PENDING'].toSorted());
});

describe.each(MESSAGE_STATES)('%s', (state: MessageState) => {
  test('what it waits for, or how it ended, is shown so', async () => {
    const made = await makers[state]();
    const { waiting, message } = (await scene.call('GET /messages/:messageId/timeline', {
      params: { messageId: made.id },
    })) as unknown as { waiting: { why: string } | null; message: { status: string } };
    if (state.startsWith('waits: ')) expect(`waits: ${waiting?.why}`).toBe(state);
    if (state.startsWith('ended: ')) expect(`ended: ${message.status}`).toBe(state);
    // Nothing is said to be handed over that no worker has.
    expect(waiting?.why === 'IN_HAND').toBe((await look(made)).claimed && message.status === 'PENDING');
  });

  test.each(ACTIONS)('%s', async (action) => {
    const made = await makers[state]();
    const before = await look(made);
    const answer = await act(action, made, before.batchId);
    const after = await look(made);
    expect(cellOf(before, after, answer)).toBe(MESSAGE_TABLE[state][action]);
    expect(after.claimed, 'what a worker has stays its own').toBe(before.claimed);
    // A message is paid for exactly if it has not failed or been withdrawn.
    const isDecided = after.status !== before.status || after.paid !== before.paid;
    if (isDecided) expect(after.paid).toBe(['FAILED', 'CANCELLED'].includes(after.status) ? 0n : made.price);
  });
});
