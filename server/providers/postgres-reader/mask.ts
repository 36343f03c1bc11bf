import type pg from 'pg';
import { LEAKS, SECRETS } from './catalog-store.ts';
import type { PostgresSecrets } from './secret-use.ts';

/** As the views of the documentation write it. */
const MASK = '••••••';

/** Where a column of an answer comes from; 0 if it is computed. */
export interface Origin {
  tableID: number;
  columnID: number;
}

interface Catalog {
  missing: string[];
  columns: { oid: string; number: number; table: string; column: string; all: string[] }[];
  functions: string[];
  operators: string[];
  domains: string[];
}

/** What is known of the secrets of a database, or why the program can't mask them. */
export const findPostgresSecrets = async (
  client: pg.Client,
  secret: string[],
): Promise<PostgresSecrets | string> => {
  const { rows } = await client.query<Record<keyof Catalog, string>>(SECRETS, [secret]);
  const catalog = Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, json]) => [name, JSON.parse(json)]),
  ) as unknown as Catalog;
  if (catalog.missing.length > 0) return `the secret ${catalog.missing.join(', ')} is not there`;
  const { rows: leaks } = await client.query<Record<string, string | null>>(LEAKS, [
    catalog.columns.map(({ oid }) => oid),
  ]);
  const leak = Object.values(leaks[0] ?? {}).find((text) => text !== null);
  if (leak) return leak;
  const tables = new Map<string, Set<string>>();
  for (const { table, all } of catalog.columns)
    tables.set(table, (tables.get(table) ?? new Set()).union(new Set(all)));
  return {
    places: new Set(catalog.columns.map(({ oid, number }) => `${oid}.${number}`)),
    columns: new Set(catalog.columns.map(({ column }) => column)),
    tables,
    functions: new Set(catalog.functions),
    operators: new Set(catalog.operators),
    domains: new Set(catalog.domains),
  };
};

/** The rows with what comes from a secret column masked. */
export const masked = (
  rows: (string | null)[][],
  fields: Origin[],
  { places }: PostgresSecrets,
): (string | null)[][] => {
  const hidden = fields.map(({ tableID, columnID }) => places.has(`${tableID}.${columnID}`));
  if (!hidden.includes(true)) return rows;
  return rows.map((row) => row.map((cell, at) => (hidden[at] && cell !== null ? MASK : cell)));
};
