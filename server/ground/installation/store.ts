import type { Db } from '../postgres/index.ts';

type Tables = { installation: { name: string; value: string } };
type Fact = 'secret_key' | 'first_run' | 'query_demo';

/** Something that this installation remembers about itself; undefined before it was kept. */
export const findFact = async (db: Db, name: Fact): Promise<string | undefined> => {
  const found = await db
    .withTables<Tables>()
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return found?.value;
};

/** The first value stays, however many processes keep one at the same time. */
export const keepFact = async (db: Db, name: Fact, value: string): Promise<void> => {
  await db
    .withTables<Tables>()
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const dropFact = async (db: Db, name: Fact): Promise<void> => {
  await db.withTables<Tables>().deleteFrom('installation').where('name', '=', name).execute();
};
