import { sql } from 'kysely';
import type { Result } from './definition.ts';
import { posthornCsv, settle } from './sending-rates.ts';
import type { Stage } from './sending-stage.ts';

/** Every trigger that counts, on all messages and on each month's. */
const countingTriggers = async (db: Stage['posthorn']['db']): Promise<{ table: string; name: string }[]> => {
  const { rows } = await sql<{ table: string; name: string }>`
    select tgrelid::regclass::text as table, tgname::text as name from pg_trigger
    where tgfoid in ('message_counts_add'::regproc, 'delivery_counts_add'::regproc) and not tgisinternal`.execute(
    db,
  );
  return rows;
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What the counters of searches, bills and reports cost a file: the same with and without them, interleaved. */
export const measureCounters = async (
  stage: Stage,
  { rounds, rows, quick }: { rounds: number; rows: number; quick: boolean },
): Promise<Result> => {
  const { db } = stage.posthorn;
  const triggers = await countingTriggers(db);
  const turn = async (how: 'enable' | 'disable'): Promise<number> => {
    for (const { table, name } of triggers)
      await sql`alter table ${sql.table(table)} ${sql.raw(how)} trigger ${sql.ref(name)}`.execute(db);
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
