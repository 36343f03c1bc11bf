import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { MessageStatus } from '../contract/messages.ts';
import { reconcile } from '../server/outbox/index.ts';
import { accept, type Prepared, prepare, readTerms } from '../server/sending/index.ts';
import { compareBalances } from '../server/wallet/index.ts';
import { findMiscounted } from '../test/miscounted.ts';
import type { Definition, Result } from './definition.ts';
import { proveHalf } from './half-balance.ts';
import { insist, openScene, type Scene } from './sending-scene.ts';

const CHUNK = 1_000;
/** The message centre always defers these endings, so we retry them for twenty minutes. */
const PUT_OFF = new Set([9_002, 9_003]);
const MUST_BE_ZERO = [
  'withoutOutcome',
  'stillInChunks',
  'miscounted',
  'takenTwice',
  'sentButNotTaken',
  'failedButTaken',
  'differences',
  'missingMicros',
];

interface Sent {
  digits: string;
  text: string;
}

const compose = (round: number, count: number): Sent[] =>
  Array.from({ length: count }, (_, at) => {
    const ending = PUT_OFF.has(at % 10_000) ? 0 : at % 10_000;
    return {
      digits: `8526${String(Math.floor(at / 10_000) + 100)}${String(ending).padStart(4, '0')}`,
      text: `Round ${round}, message ${at}.`,
    };
  });

/** One file of all of them, accepted and paid by the program itself. */
const acceptAll = async ({ messages, accountId }: Scene, sent: Sent[]): Promise<bigint> => {
  const terms = await readTerms(messages, { accountId, channel: 'sms', test: false });
  const prepared = sent.map(({ digits, text }) =>
    prepare(terms, { recipientRaw: `+${digits}`, message: text }),
  );
  const chunks: Prepared[][] = [];
  for (let at = 0; at < prepared.length; at += CHUNK) chunks.push(prepared.slice(at, at + CHUNK));
  const priceMicros = prepared.reduce((sum, one) => sum + one.priceMicros, 0n);
  const expected = { messages: prepared.length, priceMicros };
  const batch = { accountId, channel: 'sms' as const, kind: 'CSV' as const, terms, expected, chunks };
  return BigInt((await accept(messages, batch)).totalMicros);
};

interface Row {
  digits: string;
  text: string;
  status: MessageStatus;
  receiptFailed: boolean;
  priceMicros: bigint;
}

const countWaiting = async ({ db }: Scene): Promise<number> => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from messages where status = 'PENDING' and unknown_since is null`.execute(db);
  return Number(rows[0]?.count);
};

/** Kills at random moments while messages wait, but not forever: a slow machine would do nothing but start. */
const killOn = async (scene: Scene, { pauseMs, most }: { pauseMs: [number, number]; most: number }) => {
  const kills = { worker: 0, carrier: 0, database: 0 };
  const worker = await scene.openWorker();
  for (let turn = 0; ; turn += 1) {
    await sleep(randomInt(...pauseMs));
    if ((await insist(() => countWaiting(scene))) === 0) break;
    if (turn >= most) continue;
    const chunk = turn % 5;
    if (chunk === 2) {
      await scene.centre.kill();
      kills.carrier += 1;
    } else if (chunk === 4 && kills.database < 2) {
      await scene.killDatabase();
      kills.database += 1;
    } else {
      await worker.kill();
      kills.worker += 1;
    }
    await worker.revive();
  }
  // Receipts of the messages that were sent last.
  await sleep(1_000);
  await worker.stop();
  return kills;
};

const judge = (rows: Row[], taken: Map<string, number>) => {
  const timesOf = ({ digits, text }: Sent): number => taken.get(`${digits} ${text}`) ?? 0;
  const isKnown = ({ status }: Row): boolean => status !== 'FAILED_WITH_EXCEPTION';
  return {
    sent: rows.filter(({ status }) => status === 'SUCCESS').length,
    failed: rows.filter(({ status }) => status === 'FAILED').length,
    unknown: rows.filter((row) => !isKnown(row)).length,
    withoutOutcome: rows.filter(({ status }) => status === 'PENDING').length,
    takenTwice: rows.filter((row) => isKnown(row) && timesOf(row) > 1).length,
    sentButNotTaken: rows.filter((row) => row.status === 'SUCCESS' && timesOf(row) !== 1).length,
    failedButTaken: rows.filter((row) => row.status === 'FAILED' && !row.receiptFailed && timesOf(row) > 0)
      .length,
  };
};

const runRound = async (scene: Scene, { round, count }: { round: number; count: number }) => {
  const { db, accountId, centre } = scene;
  const balance = async () => {
    const { rows } = await sql<{ balance: bigint }>`
      select balance_micros as balance from wallets where account_id = ${accountId}`.execute(db);
    return rows[0]?.balance ?? 0n;
  };
  await scene.refill();
  const before = await balance();
  await acceptAll(scene, compose(round, count));
  const began = performance.now();
  const kills = await killOn(
    scene,
    count < 10_000 ? { pauseMs: [150, 500], most: 5 } : { pauseMs: [500, 2_500], most: 30 },
  );
  const seconds = (performance.now() - began) / 1_000;
  await insist(() => reconcile(db, { unknownMs: 0, settledMs: 0 }));
  const { rows } = await sql<Row>`
    select ltrim(recipient, '+') as digits, message as text, status, price_micros as "priceMicros",
      provider_message_id is not null as "receiptFailed"
    from messages where account_id = ${accountId} and message like ${`Round ${round},%`}`.execute(db);
  const keptMicros = rows.reduce((sum, row) => sum + (row.status === 'FAILED' ? 0n : row.priceMicros), 0n);
  const { differing, totalMicros } = await compareBalances(db);
  const { rows: left } = await sql<{
    chunks: number;
  }>`select count(*)::int as chunks from outbox_chunks`.execute(db);
  return {
    round,
    seconds: Math.round(seconds),
    ...kills,
    ...judge(rows, await centre.taken()),
    lost: count - rows.length,
    stillInChunks: left[0]?.chunks ?? 0,
    miscounted: (await findMiscounted(db)).length,
    missingMicros: Math.abs(Number(before - keptMicros - (await balance()))),
    differences: differing.length + Number(totalMicros !== 0n),
  };
};

const prove = async (scene: Scene, quick: boolean): Promise<Result> => {
  const half = await proveHalf(scene, quick ? 20 : 500);
  const rows: Awaited<ReturnType<typeof runRound>>[] = [];
  const [rounds, count] = quick ? [1, 2_000] : [10, 100_000];
  for (let round = 1; round <= rounds; round += 1) rows.push(await runRound(scene, { round, count }));
  const names = Object.keys(rows[0] ?? {}).filter(
    (name) => name !== 'round',
  ) as (keyof (typeof rows)[number])[];
  const figures = Object.fromEntries(
    names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  );
  return {
    rows,
    figures: {
      ...figures,
      ...half,
      kills: (figures.worker ?? 0) + (figures.carrier ?? 0) + (figures.database ?? 0),
    },
    bars: [
      { figure: 'kills', min: quick ? 1 : 50 },
      { figure: 'sent', min: (rounds * count) / 4 },
      ...['lost', 'halfMissed', 'halfMissedMicros', ...MUST_BE_ZERO].map((figure) => ({ figure, max: 0 })),
    ],
  };
};

const definition: Definition = {
  title: 'Every accepted message has one outcome, through kill -9 of the worker, the carrier and PostgreSQL',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-sending-'));
    try {
      const scene = await openScene(dataDir, { window: quick ? 10 : 100 });
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
