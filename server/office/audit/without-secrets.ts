/**
 * Fields whose values never enter the log, whatever they mean. Settings of a provider contain its passwords; `sql`,
 * and `query` of a bookmark, whatever somebody looked for.
 */
const SECRET =
  /password|secret|token|credential|authorization|api_?key|private_?key|settings|^auth$|^sql$|^query$/i;
const HIDDEN = '[hidden]';
const MOST_CHARACTERS = 500;
const MOST_ITEMS = 100;
/** Of an entry's part as JSON: the log is kept for good. */
const MOST_LENGTH = 16_000;

const cut = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string')
    return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return HIDDEN;
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map(cut);
    return value.length > MOST_ITEMS ? [...items, `… ${value.length}`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      SECRET.test(name) && part !== null ? HIDDEN : cut(part),
    ]),
  );
};

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';

/** Of an object before and after, only what differs; a secret that was changed shows as such. */
export const differing = (before: unknown, after: unknown): [before: unknown, after: unknown] => {
  if (!isFields(before) || !isFields(after)) return [before, after];
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => plain(before[name]) !== plain(after[name]),
  );
  const only = (from: Fields) =>
    Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
  return [only(before), only(after)];
};

/** What the log may keep of a value: no secrets, nothing sealed, and not more than a page. */
export const withoutSecrets = (value: unknown): unknown => {
  const kept = cut(value) ?? null;
  const { length } = JSON.stringify(kept);
  return length > MOST_LENGTH ? { characters: length } : kept;
};
