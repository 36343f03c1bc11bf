import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import type { DueEvent, EventOutcome } from '../events/due-event.ts';
import { openEventBudget } from './event-budget.ts';
import { openEventClaims } from './event-claims.ts';
import { openOutcomes } from './record-outcomes.ts';

let room: TestWebhooks;
beforeAll(async () => {
  room = await openTestWebhooks();
});
afterAll(() => room.close());

/** Claims of one account whose outcomes are written only once `flush` is called. */
const slowlyWriting = async () => {
  const accountId = await room.customerAt({ url: 'http://127.0.0.1:9/' });
  const [messageId] = (await room.makeMessages(accountId, { events: ['accepted'] })) as [MessageId];
  const { rows } = await sql<{ createdAt: string }>`
    select created_at::text as "createdAt" from messages where id = ${messageId}`.execute(room.db);
  const createdAt = rows[0]?.createdAt;
  const written = Promise.withResolvers<void>();
  const real = openOutcomes(room.hooks, () => {});
  const adding: Promise<void>[] = [];
  const outcomes = {
    ...real,
    add: (fact: Parameters<typeof real.add>[0]) => {
      const added = written.promise.then(() => real.add(fact));
      adding.push(added);
      return added;
    },
  };
  const budget = openEventBudget(1_000);
  const claims = openEventClaims({ db: room.db, accountId, outcomes, budget, onChange: () => {} });
  return {
    accountId,
    claims,
    budget,
    happens: (event: 'sent' | 'delivered') =>
      room.publish(room.db, [{ event, id: messageId, accountId, createdAt }]),
    flush: async () => {
      written.resolve();
      await Promise.all(adding);
    },
  };
};

const failed = (event: DueEvent): EventOutcome => ({
  event,
  state: 'RETRYING',
  nextAt: new Date(Date.now() + 60_000),
  answer: { at: new Date(), status: 500, fault: '', body: '', milliseconds: 1 },
});

test('an event never overtakes one of its message whose failure is not written yet', async () => {
  const { accountId, claims, happens, flush } = await slowlyWriting();
  await claims.read(10);
  const [accepted] = claims.take(1) as [DueEvent];
  claims.settle([failed(accepted)], undefined);
  await happens('sent');
  await claims.read(10);
  await happens('delivered');
  await claims.read(10);
  expect(claims.waiting()).toBe(0);
  await flush();
  await claims.read(10);
  expect(claims.waiting()).toBe(0);
  const events = await room.eventsOf(accountId);
  expect(events.map(({ type, state }) => [type, state])).toEqual([
    ['message.accepted', 'RETRYING'],
    ['message.sent', 'WAITING'],
    ['message.delivered', 'WAITING'],
  ]);
  expect(new Set(events.map(({ next_at }) => next_at?.getTime())).size).toBe(1);
});

test('events count against the budget until their outcomes are written', async () => {
  const { claims, budget, flush } = await slowlyWriting();
  await claims.read(10);
  expect(budget.share()).toBe(499);
  const [event] = claims.take(1) as [DueEvent];
  claims.settle([{ ...failed(event), state: 'DELIVERED', nextAt: null }], undefined);
  expect([claims.inHand(), budget.share()]).toEqual([1, 499]);
  await flush();
  expect([claims.inHand(), budget.share()]).toEqual([0, 500]);
});
