import type { QueryOutcome } from '../../../contract/office/query.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Answer } from './answer.ts';
import type { Asker } from './ask.ts';
import type { Lingering } from './see-ended.ts';
import { insertQuery, updateQuery } from './store.ts';

export interface Asked {
  zoneId: number;
  database: string;
  sql: string;
}

/** One call on its way. */
export interface Course {
  /** Lists have none. */
  queryId?: string;
  /** Of its statements, those that go on although their end was told. */
  lingering: Lingering[];
  /** What has become of it once they are gone. */
  endsAs?: QueryOutcome;
}

interface RecordsDeps {
  db: Db;
  log: Log;
  /** The statements of this process that are not over. */
  own: Set<string>;
}

/** Writes each statement down before it runs, and once the database has said that it has ended. */
export const openRecords =
  ({ db, log, own }: RecordsDeps) =>
  async <T>(
    asker: Asker,
    asked: Asked,
    work: (course: Course) => Promise<Answer<T>>,
    count: (data: T) => number,
  ): Promise<Answer<T>> => {
    const id = await insertQuery(db, { ...asked, accountId: asker.accountId, entryId: asker.entryId });
    const course: Course = { queryId: id, lingering: [] };
    const begun = performance.now();
    own.add(id);
    const write = (outcome: QueryOutcome, message: string, rowCount?: number) =>
      updateQuery(db, id, {
        outcome,
        message,
        rowCount,
        elapsedMs: Math.round(performance.now() - begun),
      }).finally(() => own.delete(id));
    const end = (answer: Answer<T>) => {
      if (answer.success) return write('done', '', count(answer.data));
      const { outcome = 'failed' } = answer.data ?? {};
      return outcome === 'running' ? write(course.endsAs ?? 'cancelled', '') : write(outcome, answer.msg);
    };
    const tell = (error: unknown) => log.error({ err: error }, 'query');
    try {
      const answer = await work(course);
      const gone = Promise.all(course.lingering.map((one) => one.gone));
      if (course.lingering.length === 0) await end(answer);
      else void gone.then(() => end(answer)).catch(tell);
      return answer;
    } catch (error) {
      tell(error);
      await write('failed', (error as Error).message);
      throw error;
    }
  };
