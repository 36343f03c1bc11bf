import { sql } from 'kysely';
import type { Result } from '../definition.ts';
import { posthornCsv, settle } from './sending-rates.ts';
import type { Sizes } from './sending-sizes.ts';
import type { Stage } from './sending-stage.ts';
import { lineOf, type Pair } from './sending-table.ts';

/** Every trigger that counts, on all messages and on each month's. */
const countingTriggers = async (db: Stage['posthorn']['db']): Promise<{ table: string; name: string }[]> => {
  const { rows } = await sql<{ table: string; name: string }>`
    select tgrelid::regclass::text as table, tgname::text as name from pg_trigger
    where tgfoid in ('message_counts_add'::regproc, 'delivery_counts_add'::regproc) and not tgisinternal`.execute(
    db,
  );
  return rows;
};

/** What the counters of searches, bills and reports cost a file: the same with and without them, interleaved. */
export const measureCounters = async (stage: Stage, sizes: Sizes): Promise<Result> => {
  const { customer, posthorn } = stage;
  const triggers = await countingTriggers(posthorn.db);
  const turn = async (how: 'enable' | 'disable'): Promise<number> => {
    for (const { table, name } of triggers)
      await sql`alter table ${sql.table(table)} ${sql.raw(how)} trigger ${sql.ref(name)}`.execute(
        posthorn.db,
      );
    const { perSecond } = await posthornCsv(stage, { customer, count: sizes.rows });
    await settle(sizes.settleMs);
    return perSecond;
  };
  const rounds: Pair[] = [];
  for (let round = 0; round < sizes.counterRounds; round += 1) {
    const theirs = await turn('disable');
    rounds.push({ ours: await turn('enable'), theirs });
  }
  const comparison = {
    name: 'counters',
    what: 'a CSV file with the counters of searches, bills and reports (1/s)',
    against: 'the same without them',
    bar: { min: 0.9 },
  };
  return lineOf(stage.form, comparison, rounds);
};
