import type { CompiledQuery } from 'kysely';
import { format } from 'sql-formatter';
import { expect, onTestFinished } from 'vitest';
import { type Db, openDatabase, preparedPool } from '../server/ground/postgres/index.ts';
import type { Publisher } from '../server/traffic/outbox/index.ts';
import { openWebhooks } from '../server/traffic/webhooks/index.ts';
import { testDatabase } from './database.ts';

const itemOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (Buffer.isBuffer(value)) return String.raw`"\\x${value.toString('hex')}"`;
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, String.raw`\$&`)}"` : String(value);
};

/** As psql reads it. */
const literalOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return `${value}`;
  const text = Array.isArray(value)
    ? `{${value.map(itemOf).join()}}`
    : value instanceof Date
      ? value.toISOString()
      : Buffer.isBuffer(value)
        ? String.raw`\x${value.toString('hex')}`
        : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

const written = ({ sql, parameters }: CompiledQuery): string => {
  const filled = sql.replace(/\$(\d+)/g, (_, number: string) => literalOf(parameters[Number(number) - 1]));
  return `${format(filled, { language: 'postgresql', expressionWidth: 90 })};\n`;
};

/** Keeps what it is to run, and answers that there are no rows. */
const recordIn = (db: Db, recorded: CompiledQuery[]): void => {
  const executor = db.getExecutor();
  const recording = {
    transformQuery: executor.transformQuery.bind(executor),
    compileQuery: executor.compileQuery.bind(executor),
    executeQuery: async (query: CompiledQuery) => {
      recorded.push(query);
      return { rows: [] };
    },
  };
  Object.assign(db, { getExecutor: () => recording });
};

/**
 * For a test that compares what the code asks of the database with a file that people read, explain and paste into
 * psql. `-u` writes the files anew.
 */
export const openStatements = async () => {
  const database = await testDatabase();
  onTestFinished(database.close);
  const webhooks = openWebhooks({ db: database.db, url: database.url, log: { warn: () => {} } });
  onTestFinished(webhooks.close);
  const recorded: CompiledQuery[] = [];
  const { db, close } = openDatabase({ url: database.url, max: 1, onError: () => {} });
  onTestFinished(close);
  recordIn(db, recorded);
  recordIn(preparedPool(db), recorded);
  const publisher: Publisher = {
    publish: webhooks.publish,
    publishingRows: webhooks.publishingRows,
    hasSubscriber: () => true,
  };
  /** The one statement that is run is the one of the file, and PostgreSQL can plan it as it stands there. */
  const expectFile = async (path: string, run: (db: Db, publisher: Publisher) => Promise<unknown>) => {
    recorded.splice(0);
    await run(db, publisher);
    expect(recorded).toHaveLength(1);
    const text = recorded.map(written).join('\n');
    await expect(text).toMatchFileSnapshot(path);
    await database.pool.query(`explain ${text}`);
  };
  return { expectFile };
};
