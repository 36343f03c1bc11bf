import { folded, identifiersIn, type MysqlSecrets } from './secret-use.ts';
import { readTokens, textAt } from './tokens.ts';

type Ask = (sql: string, values?: string[]) => Promise<string[][]>;

const COLUMN = `
  select 1 from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?`;

const GENERATED = `
  select column_name from information_schema.columns
  where table_schema = ? and table_name = ? and generation_expression <> ''`;

/** Of those that the user may read; without the right to see it, a definition is empty. */
const VIEWS = `
  select table_schema, table_name, view_definition from information_schema.views
  where table_schema not in ('information_schema', 'performance_schema', 'mysql', 'sys')`;

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/**
 * Whether a view could show a secret: it names a table with one, runs a function of the database's own, which the
 * servers write in quotes, or stands on something that the user may not read.
 */
const isLeaking = async (ask: Ask, [schema = '', view = '', definition]: string[], tables: Set<string>) => {
  const read = readTokens(definition ?? '');
  if (!definition || read.kind !== 'read' || identifiersIn(read.tokens).some((name) => tables.has(name)))
    return true;
  const { tokens } = read;
  if (tokens.some(({ kind }, at) => kind === 'name' && textAt(tokens, at + 1) === '(')) return true;
  // These servers explain a view only to who may read all that it stands on, and so sees those views in the list.
  return ask(`explain select 1 from ${quoted(schema)}.${quoted(view)}`).then(
    () => false,
    () => true,
  );
};

/** What is known of the secrets, or why the program can't mask them. */
export const findMysqlSecrets = async (ask: Ask, secret: string[]): Promise<MysqlSecrets | string> => {
  const parts = secret.map((name) => name.split('.') as [string, string, string]);
  for (const [database, table, column] of parts) {
    const name = `${database}.${table}.${column}`;
    // Other letters could be written in ways that the server takes for the same name.
    if (!/^[\w$.]+$/.test(name)) return `the secret ${name}: only letters from a to z, digits, _ and $`;
    if ((await ask(COLUMN, [database, table, column])).length === 0) return `the secret ${name} is not there`;
    if ((await ask(GENERATED, [database, table])).length > 0)
      return `a generated column in ${database}.${table}`;
  }
  const tables = new Set(parts.map(([, table]) => folded(table)));
  for (const view of await ask(VIEWS))
    if (await isLeaking(ask, view, tables))
      return `the view ${view[0]}.${view[1]}, which could show a secret`;
  return {
    places: new Set(secret.map(folded)),
    tables,
    columns: new Set(parts.map(([, , column]) => folded(column))),
  };
};
