/** PostgreSQL's JSON accepts neither NUL nor lone surrogates. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** JSON that a jsonb column accepts, whatever its texts contain. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part));
