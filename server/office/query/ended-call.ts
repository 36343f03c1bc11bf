import type { QueryOutcome, QueryTable } from '../../../contract/office/query.ts';
import { failedAnswer, refusal, type ServiceAnswer, success } from './answer.ts';
import type { Asker } from './ask.ts';
import type { ReadOutcome, StatementVerdict } from './reader.ts';
import type { Lingering } from './see-ended.ts';

/** What a call's own work came to. */
export interface Worked<T> {
  answer: ServiceAnswer<T>;
  /** What has become of a statement that lingers, once it is gone. */
  endsAs?: QueryOutcome;
}

/** A call that has its answer. Of one that lingers, statements go on in the database although their end was told. */
export type Ended<T> = Worked<T> & ({ mode: 'over' } | { mode: 'lingering'; gone: Promise<unknown> });

export const endedOf = <T>(worked: Worked<T>, lingering: Pick<Lingering, 'gone'>[]): Ended<T> =>
  lingering.length === 0
    ? { ...worked, mode: 'over' }
    : { ...worked, mode: 'lingering', gone: Promise.all(lingering.map(({ gone }) => gone)) };

/** What is written down once it is over. */
export const recordOf = <T>(
  { answer, endsAs = 'cancelled' }: Worked<T>,
  count: (data: T) => number,
): { outcome: QueryOutcome; message: string; rowCount?: number } => {
  if (answer.success) return { outcome: 'done', message: '', rowCount: count(answer.data) };
  const { outcome = 'failed' } = answer.data ?? {};
  return outcome === 'running' ? { outcome: endsAs, message: '' } : { outcome, message: answer.msg };
};

type Refused = Exclude<StatementVerdict, { kind: 'reads' }>;

export const refusedBy = (asker: Asker, { reason, detail, position }: Refused): ServiceAnswer<never> =>
  refusal(asker, `query.refused.${reason}`, { detail }, position);

/** The reader's place of a fault is one in the statement alone, which began at `begin`. */
export const failedIn = (
  asker: Asker,
  outcome: Exclude<ReadOutcome, { kind: 'done' }>,
  { begin, timeoutMs }: { begin: number; timeoutMs: number },
): Worked<never> => {
  const answer = failedAnswer(asker, outcome, timeoutMs);
  if (!answer.success && answer.data?.position != null) answer.data.position += begin;
  return outcome.kind === 'lingering' ? { answer, endsAs: outcome.as } : { answer };
};

/** Of rows of table, column and type. */
export const tablesOf = (rows: (string | null)[][]): QueryTable[] => {
  const columns = Map.groupBy(rows, ([table]) => table ?? '');
  return Array.from(columns, ([name, of]) => ({
    name,
    columns: of.map(([, column, type]) => ({ name: column ?? '', type: type ?? '' })),
  }));
};

/** Of what a zone's reader was asked for: its rows, or why there are none. */
export const listed = <T>(
  asker: Asker,
  outcome: ReadOutcome,
  { timeoutMs, of }: { timeoutMs: number; of: (rows: (string | null)[][]) => T },
): Worked<T> => ({
  answer: outcome.kind === 'done' ? success(of(outcome.rows)) : failedAnswer(asker, outcome, timeoutMs),
});
