import { grantInWords, userInWords } from './in-words.ts';

export const MYSQL_DATABASES = `
  select schema_name from information_schema.schemata
  where schema_name not in ('information_schema', 'performance_schema', 'mysql', 'sys')
  order by schema_name`;

export const MYSQL_COLUMNS = `
  select table_name, column_name, column_type from information_schema.columns
  where table_schema = database() order by table_name, ordinal_position limit 20000`;

/** What a grant of a user who only reads may say. */
const HARMLESS = new Set(['usage', 'select', 'show view', 'show databases', 'show create routine']);

type Ask = (sql: string, values?: string[]) => Promise<string[][]>;

/** The privileges that one line of SHOW GRANTS lists, in lower case; those of columns without the columns. */
const privilegesOf = (grant: string): string[] => {
  const [, list = grant] = /^grant (.+?) on /i.exec(grant) ?? [];
  return list
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map((privilege) => privilege.trim().toLowerCase());
};

/** What the user of a connection has beyond reading, or reads that is secret; '' if nothing. */
export const excessIn = async (ask: Ask, secret: string[]): Promise<string> => {
  const grants = (await ask('show grants')).map(([grant]) => String(grant));
  const excess = grants
    .filter(
      (grant) => /grant option\s*$/i.test(grant) || privilegesOf(grant).some((one) => !HARMLESS.has(one)),
    )
    .map((grant) => grantInWords(grant) ?? grant.replace(/ identified .*/i, '').slice(0, 200));
  const nameless = userInWords(String((await ask('select current_user()'))[0]?.[0]));
  const readable: string[] = [];
  // Of all databases: a statement may name any of them.
  for (const name of secret) {
    const parts = name.split('.');
    const found = await ask(
      `select 1 from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?
        and privileges like '%select%'`,
      [parts[0] ?? '', parts.at(-2) ?? '', parts.at(-1) ?? ''],
    );
    if (found.length > 0) readable.push(`reading the secret ${name}`);
  }
  return [...new Set([nameless ?? [], excess, readable].flat())].join(', ');
};
