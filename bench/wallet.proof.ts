import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createAccount, findContact, openPasswords } from '../server/customer/accounts/index.ts';
import { readWallet, type WalletDeps } from '../server/customer/wallet/index.ts';
import {
  beginCard,
  compareBalances,
  keepCard,
  receiveProcessorEvent,
  reconcilePayments,
} from '../server/customer/wallet/testing/index.ts';
import { startEmbedded } from '../server/ground/embedded-postgres/index.ts';
import { migrate, openDatabase } from '../server/ground/postgres/index.ts';
import { stripeCards } from '../server/providers/stripe/index.ts';
import { type Fault, startCardProvider } from '../test/emulators/card-provider/card-provider.ts';
import type { Definition, Result } from './definition.ts';
import type { CustomersCount, CustomersOptions } from './wallet-customers.ts';

const PROCESSES = 4;
const SPENDERS = 64;
const TOPPERS = 8;
const CUSTOMERS = fileURLToPath(new URL('./wallet-customers.ts', import.meta.url));
const CHARGE_TIMEOUT_MS = 1_000;

const MUST_BE_ZERO = [
  'faults',
  'differences',
  'belowZero',
  'chargedTwice',
  'notCredited',
  'creditedForNothing',
  'stillPending',
];

/** Some of the charges never get their reply, however often they are retried; some never arrive. */
const faultOf = (key: string | undefined): Fault | undefined => {
  const chunk = key === undefined ? 99 : Number.parseInt(key.slice(0, 4), 16) % 100;
  if (chunk < 6) return { kind: 'lose-reply' };
  if (chunk < 9) return { kind: 'drop' };
  return chunk < 12 ? { kind: 'cut-reply' } : undefined;
};

/** Receives the provider's webhooks, each of them twice. */
const listenForWebhooks = async (deps: WalletDeps) => {
  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request);
      const [result] = await Promise.all([
        receiveProcessorEvent(deps, body, request.headers),
        receiveProcessorEvent(deps, body, request.headers),
      ]);
      response.statusCode = result === 'ok' ? 200 : 400;
    } catch {
      response.statusCode = 500;
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
};

/** Processes of customers; a killed one is replaced. */
const openCustomers = (options: CustomersOptions) => {
  const counts = new Map<ChildProcess, CustomersCount>();
  const children = new Set<ChildProcess>();
  const start = (): void => {
    const child = fork(CUSTOMERS, [JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.add(child);
    child.on('message', (count: CustomersCount) => counts.set(child, count));
  };
  for (let at = 0; at < PROCESSES; at += 1) start();
  return {
    killOne: async (): Promise<void> => {
      const child = [...children][randomInt(children.size)];
      if (!child) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
      children.delete(child);
      start();
    },
    stop: async (): Promise<void> => {
      await Promise.all(
        [...children].map(async (child) => {
          child.kill('SIGTERM');
          if (child.exitCode === null) await once(child, 'exit');
        }),
      );
    },
    counts: () => [...counts.values()],
    /** Every process has begun. */
    ready: async (): Promise<void> => {
      while (counts.size < PROCESSES) await sleep(20);
    },
  };
};

const countMovements = async ({ deps, accountId }: Scene): Promise<number> => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from ledger_entries where account_id = ${accountId}`.execute(deps.db);
  return Number(rows[0]?.count);
};

/** Compares the provider's charges with the ledger's credits, one by one. */
const compareCharges = async ({ deps, provider, accountId }: Scene) => {
  const { rows } = await sql<{ paymentId: string; status: string; credits: bigint; minor: bigint }>`
    select p.id as "paymentId", p.status, p.charge_minor as minor, (
      select count(*) from ledger_entries e
      where e.account_id = p.account_id and e.kind = 'TOP_UP' and e.cause = 'payment:' || p.id
        and e.available_micros = p.amount_micros
    ) as credits
    from payments p where p.account_id = ${accountId}`.execute(deps.db);
  const { rows: entries } = await sql<{ count: bigint }>`
    select count(*) as count from ledger_entries where account_id = ${accountId} and kind = 'TOP_UP'`.execute(
    deps.db,
  );
  const taken = new Map<string, { times: number; minor: bigint }>();
  for (const { paymentId = '', amount } of provider.taken())
    taken.set(paymentId, { times: (taken.get(paymentId)?.times ?? 0) + 1, minor: BigInt(amount) });
  const credited = new Map(rows.map((row) => [row.paymentId, row]));
  return {
    charges: taken.size,
    chargedTwice: [...taken.values()].filter(({ times }) => times > 1).length,
    notCredited: [...taken].filter(
      ([id, { minor }]) => credited.get(id)?.credits !== 1n || credited.get(id)?.minor !== minor,
    ).length,
    creditedForNothing: Number(entries[0]?.count) - taken.size,
    stillPending: rows.filter(({ status }) => status === 'PENDING').length,
  };
};

/** A database, a provider with its faults, and an account with a card. */
const openScene = async (dataDir: string) => {
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  const provider = await startCardProvider();
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 10, onError: () => {} });
  const stripe = {
    secretKey: provider.secretKey,
    publishableKey: provider.publishableKey,
    webhookSecret: provider.webhookSecret,
    apiBase: provider.url,
    timeoutMs: CHARGE_TIMEOUT_MS,
  };
  const deps: WalletDeps = {
    db,
    queue: { send: async () => {} },
    processor: stripeCards(stripe),
    hkdPerUsd: '7.8',
    contactOf: (id) => findContact(db, id),
    log: { warn: () => {}, error: () => {} },
  };
  const accountId = await createAccount(
    { db, passwords: openPasswords(), secretKey: randomBytes(32) },
    {
      email: 'proof@example.com',
      password: randomBytes(12).toString('hex'),
      admin: false,
      active: true,
      language: 'en_US',
    },
  );
  if (!accountId) throw new Error('no account was made');
  const form = await beginCard(deps, accountId);
  const { id: cardId } = await keepCard(deps, accountId, provider.confirmSetup(form, '4242424242424242'));
  const webhooks = await listenForWebhooks(deps);
  provider.webhooks.sendTo(webhooks.url);
  provider.failBy(({ method, path, headers }) =>
    method === 'POST' && path === '/v1/payment_intents'
      ? faultOf(headers['idempotency-key'] as string | undefined)
      : undefined,
  );
  return {
    url: embedded.url,
    provider,
    deps,
    stripe,
    accountId,
    cardId,
    close: async () => {
      webhooks.close();
      await close();
      await provider.close();
      await embedded.stop();
    },
  };
};
type Scene = Awaited<ReturnType<typeof openScene>>;

/** Checks the wallet again and again, and kills a process from time to time. */
const watch = async (
  { deps, accountId }: Scene,
  customers: ReturnType<typeof openCustomers>,
  { seconds, killEveryMs, kills }: { seconds: number; killEveryMs: number; kills: number },
) => {
  const seen = { kills: 0, looks: 0, differences: 0, belowZero: 0 };
  const end = Date.now() + seconds * 1_000;
  let nextKill = Date.now() + killEveryMs;
  // A slow machine needs longer for the kills.
  while (Date.now() < end || seen.kills < kills) {
    seen.differences += await countDifferences(deps);
    const { balanceMicros } = await readWallet(deps.db, accountId);
    seen.belowZero += Number(balanceMicros < 0n);
    seen.looks += 1;
    if (Date.now() > nextKill) {
      await customers.killOne();
      seen.kills += 1;
      nextKill = Date.now() + killEveryMs;
    }
    await sleep(200);
  }
  return seen;
};

const countDifferences = async ({ db }: WalletDeps): Promise<number> => {
  const { differing, totalMicros } = await compareBalances(db);
  return differing.length + Number(totalMicros !== 0n);
};

/** Unfinished payments look old to the reconcile task now, and the provider works again. */
const settleAll = async ({ deps, provider }: Scene): Promise<void> => {
  provider.failBy(() => undefined);
  await provider.webhooks.sent();
  await sql`update payments set created_at = created_at - interval '2 hours' where status = 'PENDING'`.execute(
    deps.db,
  );
  await reconcilePayments(deps);
};

const prove = async (scene: Scene, quick: boolean): Promise<Result> => {
  const customers = openCustomers({
    url: scene.url,
    accountId: scene.accountId,
    cardId: scene.cardId,
    spenders: SPENDERS / PROCESSES,
    toppers: TOPPERS / PROCESSES,
    stripe: scene.stripe,
  });
  const seconds = quick ? 6 : 60;
  const kills = quick ? 2 : 10;
  await customers.ready();
  const seen = await watch(scene, customers, { seconds, killEveryMs: quick ? 1_500 : 3_000, kills });
  await customers.stop();
  await settleAll(scene);
  const movements = await countMovements(scene);
  const figures = {
    seconds,
    movements,
    movementsPerSecond: movements / seconds,
    refused: customers.counts().reduce((all, { refused }) => all + refused, 0),
    ...(await compareCharges(scene)),
    ...seen,
    differences: seen.differences + (await countDifferences(scene.deps)),
    faults: customers.counts().reduce((all, { faults }) => all + faults.length, 0),
  };
  return {
    rows: Object.entries(figures).map(([what, number]) => ({ what, number })),
    figures,
    bars: [
      { figure: 'kills', min: kills },
      { figure: 'movements', min: quick ? 50 : 2_000 },
      { figure: 'charges', min: quick ? 5 : 100 },
      ...MUST_BE_ZERO.map((figure) => ({ figure, max: 0 })),
    ],
  };
};

const definition: Definition = {
  title: `${SPENDERS} spenders and ${TOPPERS} top-ups on one wallet in ${PROCESSES} processes, some killed with kill -9`,
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-wallet-'));
    try {
      const scene = await openScene(dataDir);
      try {
        return await prove(scene, quick);
      } finally {
        await scene.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
