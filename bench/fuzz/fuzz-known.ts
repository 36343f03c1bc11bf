import type { Random } from './fuzz-random.ts';

/** How many values of a name are remembered: the oldest make room, so that memory stays as it is. */
const KEPT = 300;

/** Which id `_id` and `before` are, by the path of the call. The first that fits counts. */
const ID_NAMES: [RegExp, string][] = [
  [/contacts/, 'contactId'],
  [/optOuts/, 'optOutId'],
  [/charge|payments/, 'paymentId'],
  [/cards/, 'cardId'],
  [/events/, 'eventId'],
  [/uploads|csv|resend/, 'uploadId'],
  [/batches/, 'batchId'],
  [/mailbox/, 'mailId'],
  [/ledger/, 'entryId'],
  [/apiCalls/, 'apiCallId'],
  [/apiInfo/, 'oldSecretId'],
  [/send|messages|conversation/, 'messageId'],
];
export const idNameOf = (path: string): string =>
  ID_NAMES.find(([pattern]) => pattern.test(path))?.[1] ?? '_id';

/** Fields of answers that other calls ask for. */
const NAMED = new Set([
  'batchId',
  'messageId',
  'eventId',
  'uploadId',
  'laneId',
  'priceId',
  'client_secret',
  'auth',
  'waMessageId',
  'identifier',
  'phone',
]);
/** More of an answer brings nothing new. */
const MOST_FIELDS = 200;

/** What exists in the program: learned from its answers, so that calls find what they ask for. */
export const openKnown = () => {
  const pools = new Map<string, { values: unknown[]; next: number }>();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === '') return;
    const pool = pools.get(name) ?? { values: [], next: 0 };
    pools.set(name, pool);
    pool.values[pool.next] = value;
    pool.next = (pool.next + 1) % KEPT;
  };
  const find = (name: string, random: Random): unknown => {
    const values = pools.get(name)?.values;
    return values && values.length > 0 ? random.pick(values) : undefined;
  };
  /** For what can be used once: a session to sign out of, an account to close. */
  const take = (name: string): unknown => {
    const pool = pools.get(name);
    if (!pool || pool.values.length === 0) return undefined;
    pool.next = 0;
    return pool.values.pop();
  };
  const learn = (path: string, answer: unknown): void => {
    let left = MOST_FIELDS;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, field] of Object.entries(value)) {
        left -= 1;
        if (left < 0) return;
        if (key === '_id') add(idNameOf(path), field);
        else if (NAMED.has(key)) add(key, field);
        // The link in a mail.
        else if (key === 'text' && path.includes('mailbox'))
          add('token', /[?&]token=([\w-]+)/.exec(String(field))?.[1]);
        else if (key === 'token' && path.includes('login')) add('session', field);
        visit(field);
      }
    };
    visit(answer);
  };
  return { add, find, take, learn };
};
export type KnownValues = ReturnType<typeof openKnown>;
