import { folded, type MysqlSecrets } from './secret-use.ts';

/** As the views of the documentation write it. */
const MASK = '••••••';

/** What the server says of a column of an answer; the origin of what is computed is empty. */
interface Described {
  name: string;
  schema?: string;
  orgTable?: string;
  orgName?: string;
}

/** The rows with what comes from a secret column masked: by its origin, and by the names that it may have here. */
export const masked = (
  rows: (string | null)[][],
  fields: Described[],
  { places }: MysqlSecrets,
  names: Set<string>,
): (string | null)[][] => {
  const hidden = fields.map(
    ({ name, schema, orgTable, orgName }) =>
      names.has(folded(name)) || places.has(folded(`${schema}.${orgTable}.${orgName}`)),
  );
  if (!hidden.includes(true)) return rows;
  return rows.map((row) => row.map((cell, at) => (hidden[at] && cell !== null ? MASK : cell)));
};
