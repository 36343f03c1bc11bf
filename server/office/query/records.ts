import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { ServiceAnswer } from './answer.ts';
import type { Asker } from './ask.ts';
import { type Ended, recordOf } from './ended-call.ts';
import { insertQuery, updateQuery } from './store.ts';

export interface Asked {
  zoneId: number;
  database: string;
  sql: string;
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
    work: (queryId: string) => Promise<Ended<T>>,
    count: (data: T) => number,
  ): Promise<ServiceAnswer<T>> => {
    const id = await insertQuery(db, { ...asked, accountId: asker.accountId, entryId: asker.entryId });
    const begun = performance.now();
    own.add(id);
    const write = ({ rowCount, ...record }: ReturnType<typeof recordOf<T>>) =>
      updateQuery(db, id, {
        ...record,
        rowCount,
        elapsedMs: Math.round(performance.now() - begun),
      }).finally(() => own.delete(id));
    const tell = (error: unknown) => log.error({ err: error }, 'query');
    try {
      const ended = await work(id);
      const end = () => write(recordOf(ended, count));
      if (ended.mode === 'over') await end();
      else void ended.gone.then(end).catch(tell);
      return ended.answer;
    } catch (error) {
      tell(error);
      await write({ outcome: 'failed', message: (error as Error).message });
      throw error;
    }
  };
