import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { MessageId } from '../../contract/traffic/messages.ts';
import type { EventId, MessageEvent } from '../../contract/traffic/webhooks.ts';
import { changeSetting, findContact, logIn } from '../../server/customer/accounts/index.ts';
import { openHttpClient } from '../../server/ground/http-client/index.ts';
import { httpReceivers } from '../../server/providers/http-receivers/index.ts';
import type { Lane } from '../../server/traffic/lanes/index.ts';
import type { PublishEvents } from '../../server/traffic/outbox/index.ts';
import { reconcile } from '../../server/traffic/outbox/testing/index.ts';
import {
  openKeeper,
  openWebhooks,
  type RetryTiming,
  runWebhooks,
  type WebhookRouteDeps,
  webhookTasks,
} from '../../server/traffic/webhooks/index.ts';
import { allEvents } from '../../server/traffic/webhooks/testing/all-events-store.ts';
import { openTestDelivery, scriptedCarrier } from '../delivery.ts';
import { type Behaviour, type Receiver, startReceiver } from '../emulators/webhook-receiver.ts';

/** Everything faster than in production. */
const QUICK: Partial<RetryTiming> = {
  pollMs: 50,
  watchMs: 20,
  leaseMs: 5_000,
  lingerMs: 100,
  firstRetryMs: 100,
  longestRetryMs: 1_000,
  firstPauseMs: 50,
  longestPauseMs: 200,
};
/** A receiver on a busy machine takes its time: it fails nothing, unless a test wants to see that. */
const ANSWER_MS = 20_000;

/** The webhooks room on a real database, with receivers on sockets. */
export const openTestWebhooks = async ({ answerMs = ANSWER_MS }: { answerMs?: number } = {}) => {
  const room = await openTestDelivery();
  const { db } = room;
  const log = { warn: () => {} };
  const opened = openWebhooks({ db, url: room.url, log });
  const receivers = httpReceivers({ allowPrivate: true, timeoutMs: answerMs, openHttpClient });
  const deps: WebhookRouteDeps = {
    db,
    queue: room.deps.queue,
    limits: room.accounts.limits,
    secretKey: room.accounts.secretKey,
    receivers,
    contactOf: (accountId) => findContact(db, accountId),
  };
  const tasks = webhookTasks({ ...room.taskDeps, ...deps });
  const running = new Set<ReturnType<typeof runWebhooks>>();
  const standing: Receiver[] = [];
  let lane: Promise<Lane> | undefined;

  const setWebhook = (accountId: AccountId, webhook: string) =>
    changeSetting({ db, webhooks: openKeeper({ receivers }) }, accountId, { webhook });

  return {
    ...room,
    hooks: deps,
    publish: opened.publish as PublishEvents,
    hasSubscriber: opened.hasSubscriber,
    publishingRows: opened.publishingRows,
    notices: opened.notices,
    setWebhook,
    signIn: async () => {
      const account = await room.activeAccount();
      const { token } = await logIn(room.accounts, account);
      return { ...account, token };
    },
    /** Gives up immediately on names that can't be resolved. */
    giveUpUnknown: () => reconcile(db, { unknownMs: 0, publisher: opened }),
    /** Sends events to customers' systems, in this process. */
    serve: (timing: Partial<RetryTiming> = {}, options: Partial<Parameters<typeof runWebhooks>[0]> = {}) => {
      const { notices } = opened;
      const served = runWebhooks({ ...deps, notices, log, timing: { ...QUICK, ...timing }, ...options });
      running.add(served);
      return served;
    },
    receive: async (behaviour?: Behaviour): Promise<Receiver> => {
      const receiver = await startReceiver(behaviour);
      standing.push(receiver);
      return receiver;
    },
    /** A customer whose events go to this receiver; those who publish have heard of it. */
    customerAt: async ({ url }: { url: string }): Promise<AccountId> => {
      const accountId = await room.funded(10);
      await setWebhook(accountId, url);
      await vi.waitFor(() => expect(opened.hasSubscriber([accountId])).toBe(true), 20_000);
      return accountId;
    },
    /** As many test events as wanted. */
    makeEvents: async (accountId: AccountId, count = 1): Promise<EventId[]> => {
      const { rows } = await sql<{ id: EventId }>`
        with made as (
          insert into webhook_events (account_id, type, data)
          select ${accountId}, 'webhook.test', json_build_object('at', at) from generate_series(1, ${count}) at
          returning id
        ), woken as (select pg_notify('posthorn_webhooks', ${`event ${accountId}`}))
        select id from made, woken`.execute(db);
      return rows.map(({ id }) => id);
    },
    /** Messages that nobody sends, with these events, each kind published in a transaction of its own. */
    makeMessages: async (
      accountId: AccountId,
      { count = 1, events = ['sent'] }: { count?: number; events?: MessageEvent[] } = {},
    ): Promise<MessageId[]> => {
      lane ??= room.addLane(() => scriptedCarrier().carrier);
      const ids = await room.accept({ accountId, lane: await lane, count });
      const { rows } = await sql<{ createdAt: string }>`
        select created_at::text as "createdAt" from messages where id = ${ids[0]}`.execute(db);
      const createdAt = rows[0]?.createdAt;
      for (const event of events)
        await db.transaction().execute((trx) =>
          opened.publish(
            trx,
            ids.map((id) => ({ event, id, accountId, createdAt })),
          ),
        );
      return ids;
    },
    eventsOf: (accountId: AccountId) => allEvents(db, accountId),
    runTask: (name: string, data: object = {}) => tasks[name]?.run(data, new AbortController().signal),
    eventually: (check: () => unknown, timeout = 20_000) => vi.waitFor(check, { timeout, interval: 20 }),
    close: async (): Promise<void> => {
      await Promise.all([...running].map(({ stop }) => stop(500)));
      receivers.close();
      await Promise.all(standing.map(({ close }) => close()));
      await opened.close();
      await room.close();
    },
  };
};
export type TestWebhooks = Awaited<ReturnType<typeof openTestWebhooks>>;
