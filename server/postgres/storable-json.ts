/** PostgreSQL's JSON takes neither NUL nor halves of characters. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** JSON that a jsonb column takes, whatever the texts in it hold. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part));
