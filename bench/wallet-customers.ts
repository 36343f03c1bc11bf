import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { CardId, EntryId } from '../contract/customer/wallet.ts';
import { refund, type SpendDeps, spend, type WalletDeps } from '../server/customer/wallet/index.ts';
import { chargeCard } from '../server/customer/wallet/testing/index.ts';
import { DomainError } from '../server/ground/domain-error.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { stripeCards } from '../server/providers/stripe/index.ts';

/** What the proof passes to each process, as one argument of JSON. */
export interface CustomersOptions {
  url: string;
  accountId: AccountId;
  cardId: CardId;
  spenders: number;
  toppers: number;
  stripe: Parameters<typeof stripeCards>[0];
}

/** What a process has done so far, reported to the proof from time to time; a killed one did more than it reported. */
export interface CustomersCount {
  /** Movements that the balance did not cover. */
  refused: number;
  faults: string[];
}

const cents = (from: number, to: number): bigint => BigInt(randomInt(from, to)) * 10_000n;

const main = async ({
  url,
  accountId,
  cardId,
  spenders,
  toppers,
  stripe,
}: CustomersOptions): Promise<void> => {
  const { db, close } = openDatabase({ url, max: spenders + toppers, onError: () => {} });
  const queue = { send: async () => {} };
  const deps: WalletDeps = {
    db,
    queue,
    processor: stripeCards(stripe),
    hkdPerUsd: '7.8',
    contactOf: async () => undefined,
    log: { warn: () => {}, error: () => {} },
  };
  const count: CustomersCount = { refused: 0, faults: [] };
  let stopping = false;
  process.once('SIGTERM', () => {
    stopping = true;
  });
  process.once('disconnect', () => process.exit(1));

  const captured: { captureId: EntryId; amountMicros: bigint }[] = [];
  const moves: ((spendDeps: SpendDeps) => Promise<void>)[] = [
    async (spendDeps) => {
      const amountMicros = cents(10, 500);
      const { entryId } = await spend(spendDeps, { accountId, amountMicros, cause: randomUUID() });
      captured.push({ captureId: entryId, amountMicros });
    },
    async (spendDeps) => {
      const amountMicros = cents(20, 500);
      const part = amountMicros / 2n;
      const { entryId: captureId } = await spend(spendDeps, { accountId, amountMicros, cause: randomUUID() });
      for (const refunded of [part, amountMicros - part]) {
        const items = [{ item: randomUUID(), amountMicros: refunded }];
        await refund(spendDeps.db, [{ accountId, captureId, items }]);
      }
    },
    async ({ db: trx }) => {
      const last = captured.pop();
      if (!last) return;
      const items = [{ item: randomUUID(), amountMicros: last.amountMicros }];
      await refund(trx, [{ accountId, captureId: last.captureId, items }]);
    },
  ];

  const spendOn = async (): Promise<void> => {
    while (!stopping)
      try {
        const move = moves[[0, 0, 0, 1, 2][randomInt(5)] ?? 0];
        await db.transaction().execute(async (trx) => move?.({ db: trx, queue }));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        count.refused += 1;
        await sleep(5);
      }
  };
  const topUpOn = async (): Promise<void> => {
    while (!stopping) {
      const amount = randomInt(700, 2_000) / 100;
      await chargeCard(deps, { accountId, cardId, amount, idempotencyKey: randomUUID() });
    }
  };

  const telling = setInterval(() => process.send?.(count), 50);
  const all = [...Array.from({ length: spenders }, spendOn), ...Array.from({ length: toppers }, topUpOn)].map(
    (one) => one.catch((error: Error) => count.faults.push(error.message)),
  );
  await Promise.all(all);
  clearInterval(telling);
  await close();
  process.send?.(count, () => process.exit(0));
};

await main(JSON.parse(process.argv[2] ?? '{}'));
