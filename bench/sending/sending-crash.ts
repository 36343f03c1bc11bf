import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Result } from '../definition.ts';
import { insist } from '../load/insist.ts';
import { csvOf, uploadCsv } from '../load/upload.ts';
import { preciseNow } from '../measuring/precise-now.ts';
import { readTaken } from './centre.ts';
import type { Sizes } from './sending-sizes.ts';
import { type Form, openStage, type Stage, startForm, WINDOW } from './sending-stage.ts';
import { join, plainLine } from './sending-table.ts';

const PATIENCE_MS = 120_000;
const LOOK_MS = 100;
/** As carriers need it: the window is always full then, and the file lasts until the last kill. */
const LATENCY_MS = '20';

const count = async ({ posthorn }: Stage, what: 'waiting' | 'inDoubt'): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages
    where status = 'PENDING' and unknown_since is ${sql.raw(what === 'waiting' ? 'null' : 'not null')}`.execute(
    posthorn.db,
  );
  return rows[0]?.count ?? 0;
};

const untilNoneWaits = async (stage: Stage): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; (await count(stage, 'waiting')) > 0; await sleep(LOOK_MS))
    if (Date.now() > end) throw new Error('messages still wait after the last restart');
};

/**
 * `kill -9` of all processes, the database's among them, and the same start again. Returns what runs now, and the
 * seconds until it has sent something and until it was ready.
 */
const crash = async (stage: Stage) => {
  await stage.posthorn.kill([...new Set([stage.web, stage.worker])], { database: true });
  await stage.centre.reset();
  // `npm start` with the embedded database waits for it; with one of its own the program expects it to be there.
  await insist(() => sql`select 1`.execute(stage.posthorn.db));
  const from = preciseNow();
  const again = startForm(stage, stage.form).then((started) => ({ started, readyAt: preciseNow() }));
  const { firstAt } = await stage.centre.until(({ submits }) => submits > 0, PATIENCE_MS);
  const { started, readyAt } = await again;
  return { started, seconds: (firstAt - from) / 1_000, readySeconds: (readyAt - from) / 1_000 };
};

const measure = async (opened: Stage, sizes: Sizes, record: string): Promise<Result> => {
  let stage = opened;
  const { form, centre, customer } = stage;
  const csv = csvOf('8526', 'of the file before the crash, number', sizes.crashRows);
  const part = sizes.crashRows / (sizes.kills + 1);
  const doubts: number[] = [];
  const seconds: number[] = [];
  const readySeconds: number[] = [];
  await uploadCsv(stage.url, { secret: customer.secret, csv });
  for (let kill = 0; kill < sizes.kills; kill += 1) {
    const before = await count(stage, 'inDoubt');
    await centre.until(({ submits }) => submits >= part / 2, PATIENCE_MS);
    const again = await crash(stage);
    stage = { ...stage, ...again.started };
    seconds.push(again.seconds);
    readySeconds.push(again.readySeconds);
    // The next worker says what is in doubt before it sends anything.
    doubts.push((await count(stage, 'inDoubt')) - before);
  }
  await untilNoneWaits(stage);
  const { rows } = await sql<{ key: string }>`
    select ltrim(recipient, '+') || ' ' || message as key from messages where unknown_since is not null`.execute(
    stage.posthorn.db,
  );
  const taken = await readTaken(record);
  const neverTaken = rows.filter(({ key }) => !taken.has(key)).length;
  const twice = [...taken.values()].filter((times) => times > 1).length;
  return join([
    plainLine(form, {
      name: 'inDoubt',
      what: `in doubt after kill -9 of all processes during a file, the most of ${sizes.kills}; the window is ${WINDOW}`,
      value: Math.max(...doubts),
      bar: { max: WINDOW },
    }),
    plainLine(form, {
      name: 'inDoubtNeverSent',
      what: `  of all ${rows.length} in doubt the carrier never got`,
      value: neverTaken,
    }),
    plainLine(form, { name: 'sentTwice', what: '  sent twice', value: twice, bar: { max: 0 } }),
    plainLine(form, {
      name: 'servedAgainSeconds',
      what: '  from the restart until the lane is served again, the longest (s)',
      value: Math.max(...seconds),
      bar: { max: 5 },
    }),
    plainLine(form, {
      name: 'readyAgainSeconds',
      what: '  of these until the program answers (s)',
      value: Math.max(...readySeconds),
    }),
  ]);
};

export const measureCrash = async (form: Form, sizes: Sizes): Promise<Result> => {
  const folder = await mkdtemp(joinPath(tmpdir(), 'posthorn-crash-'));
  const record = joinPath(folder, 'taken');
  try {
    const stage = await openStage({
      form,
      customers: 0,
      withKannel: false,
      args: ['--record', record, '--latency', LATENCY_MS],
    });
    try {
      return await measure(stage, sizes, record);
    } finally {
      await stage.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
