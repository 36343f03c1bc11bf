import { sql } from 'kysely';
import type { Result } from './definition.ts';
import { posthornCsv, settle } from './sending-rates.ts';
import type { Stage } from './sending-stage.ts';

const TRIGGERS = [
  'message_counts_insert',
  'message_counts_update',
  'delivery_counts_insert',
  'delivery_counts_update',
];

const TABLES = ['message_counts', 'delivery_counts'];

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What the counters of searches, bills and reports cost a file: the same with and without them, interleaved. */
export const measureCounters = async (
  stage: Stage,
  { rounds, rows, quick }: { rounds: number; rows: number; quick: boolean },
): Promise<Result> => {
  const { db } = stage.posthorn;
  await sql`create function bench_skip() returns trigger language plpgsql as 'begin return null; end'`.execute(
    db,
  );
  for (const table of TABLES)
    await sql`create trigger bench_skip before insert on ${sql.table(table)}
      for each row execute function bench_skip()`.execute(db);
  const turn = async (how: 'enable' | 'disable'): Promise<number> => {
    for (const name of TRIGGERS)
      await sql`alter table messages ${sql.raw(how)} trigger ${sql.ref(name)}`.execute(db);
    // The statement that writes answers counts them: it still adds them up, but stores nothing.
    for (const table of TABLES)
      await sql`alter table ${sql.table(table)} ${sql.raw(how === 'enable' ? 'disable' : 'enable')}
        trigger bench_skip`.execute(db);
    const { perSecond } = await posthornCsv(stage, { count: rows, receipts: false });
    await settle(quick);
    return perSecond;
  };
  const costs: { kept: number; not: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    costs.push({ not: await turn('disable'), kept: await turn('enable') });
  const cost = median(costs.map(({ kept, not }) => 1 - kept / not));
  return {
    rows: [
      {
        what: 'keeping the counters: a CSV file with them, against one without',
        'Posthorn (1/s)': Math.round(median(costs.map(({ kept }) => kept))),
        against: `without counters (${Math.round(median(costs.map(({ not }) => not)))} a second)`,
        ratio: (1 - cost).toFixed(2),
      },
    ],
    figures: { countersCost: cost },
    bars: [{ figure: 'countersCost', max: 0.1 }],
  };
};
