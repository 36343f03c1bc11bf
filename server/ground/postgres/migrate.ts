import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { StartFault } from '../terminal/index.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** Any constant: the holder of this advisory lock is the only runner. */
const LOCK = 7_670_484_678;

interface Migration {
  name: string;
  sql: string;
  hash: string;
}

const readMigrations = async (folder: URL): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

/** Applies the missing migrations, each in its own transaction, and returns their names. */
export const migrate = async (url: string, folder: URL = FOLDER): Promise<string[]> => {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: url, application_name: 'posthorn-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.hash]));
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
    if (unknown.length > 0)
      throw new StartFault(
        // Forward only: what a newer version adds comes after everything that this one knows.
        (unknown[0] as string) > (migrations.at(-1)?.name ?? '')
          ? `This database was migrated by a newer Posthorn (${unknown.join(', ')}): start that version instead.`
          : "This database was made by an unreleased version of Posthorn and can't be migrated to this one: start with an empty database or another DATA_DIR.",
      );
    const done: string[] = [];
    for (const { name, sql, hash } of migrations) {
      const before = applied.get(name);
      if (before === hash) continue;
      if (before !== undefined)
        throw new StartFault(
          `The migration ${name} was changed after this database had applied it: restore its text and add a new migration. Before the first release: start with an empty database.`,
        );
      await client.query('begin');
      try {
        await client.query(sql);
        await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new StartFault(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      done.push(name);
    }
    return done;
  } finally {
    await client.end();
  }
};
