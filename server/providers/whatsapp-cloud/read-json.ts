/** Some object of somebody's JSON: nothing is certain about it. */
export type JsonObject = Record<string, unknown>;

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Seconds since 1970, as a text; what is no time, or one that has not come yet, is now. */
export const timeOf = (value: unknown): Date => {
  const seconds = Number(textOf(value));
  return textOf(value) !== '' && Number.isFinite(seconds) && seconds > 0
    ? new Date(Math.min(seconds * 1_000, Date.now()))
    : new Date();
};
