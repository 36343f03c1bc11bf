const special = /["\\]/;
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/["\\]/g, String.raw`\$&`) : text;

/**
 * An array of texts, numbers or booleans in PostgreSQL's notation. pg would write each item separately, which took most
 * of the time of a statement for many rows; other types, and arrays with nulls, are left to pg.
 */
export const arrayText = (values: readonly unknown[]): unknown => {
  const type = typeof values[0];
  if (type !== 'string' && type !== 'number' && type !== 'bigint' && type !== 'boolean') return values;
  if (values.some((value) => typeof value !== type)) return values;
  return type === 'string' ? `{"${(values as string[]).map(escaped).join('","')}"}` : `{${values.join()}}`;
};
