import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../postgres/index.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

interface Limit {
  points: number;
  duration: number;
  /** Otherwise E_TOO_MANY_REQUESTS. */
  refusal?: ErrorCode;
  /** Points are never given back before the duration ends. */
  isFinal?: true;
}

/** How many points a key may use within a number of seconds. All processes on one database count together. */
const LIMITS = {
  /** Wrong passwords for one email from one address. */
  'login-account-address': { points: 10, duration: 15 * MINUTE },
  /** Wrong passwords for one email from any address: only counted, because a stranger must not lock the owner out. */
  'login-account': { points: 1_000_000, duration: 15 * MINUTE },
  /** Failed sign-ins from one address, for any email. */
  'login-address': { points: 50, duration: 15 * MINUTE },
  /** Passwords that a signed-in person types again, such as to close the account. */
  'confirm-account': { points: 10, duration: 15 * MINUTE },
  'register-address': { points: 20, duration: HOUR },
  /** Mails to one email that a stranger can cause. */
  'mail-account': { points: 5, duration: HOUR },
  /** Mails with a link to reset a password, from one address and from all: a stranger can't use up the owner's. */
  'reset-account-address': { points: 5, duration: HOUR },
  'reset-account': { points: 20, duration: HOUR },
  'mail-address': { points: 30, duration: HOUR },
  /** Attempts to use a token from a mail. */
  'token-address': { points: 30, duration: 15 * MINUTE },
  /** Cards added and charged: stolen numbers are tried out where nobody counts. */
  'card-account': { points: 30, duration: HOUR },
  /** Events sent by hand: tests and replays. */
  'webhook-account': { points: 120, duration: HOUR },
  /** Codes by mail that an account asks for, and those to one mailbox, whoever asks. */
  'sender-mail-account': { points: 10, duration: HOUR },
  'sender-mail-address': { points: 10, duration: HOUR },
  /** Codes that are typed, and records that are looked up. */
  'sender-code-account': { points: 60, duration: HOUR },
  'sender-record-account': { points: 60, duration: HOUR },
  /** Agents that could not join. */
  'agent-join-address': { points: 30, duration: 15 * MINUTE },
  /** Any call without a session. */
  'open-address': { points: 600, duration: MINUTE },
  /** Calls with the live secret that cost nothing, such as asking for a state. */
  'secret-account': { points: 12_000, duration: MINUTE },
  /** Any call with a session. */
  'caller-account': { points: 1200, duration: MINUTE },
  /** Texts that are sent with the test secret, in thousands of characters. */
  'test-text-account': { points: 200_000, duration: 24 * HOUR, refusal: 'E_TEST_TEXT_LIMIT', isFinal: true },
} as const satisfies Record<string, Limit>;
type LimitKind = keyof typeof LIMITS;

export interface Limits {
  /** Uses one point, or as many as are given, or refuses with E_TOO_MANY_REQUESTS or the limit's own code. */
  consume: (kind: LimitKind, key: string, points?: number) => Promise<void>;
  /** Uses one point, and returns how many are used by now. */
  count: (kind: LimitKind, key: string) => Promise<number>;
  /** Resets what the key has used. */
  forgive: (kind: LimitKind, key: string) => Promise<void>;
  /** Gives one point back. */
  giveBack: (kind: LimitKind, key: string) => Promise<void>;
  removeExpired: () => Promise<void>;
}

interface LimitsOptions {
  pool: Database['pool'];
  /** Multiplies every limit. */
  factor: number;
}

export const openLimits = ({ pool, factor }: LimitsOptions): Limits => {
  const limiters = new Map(
    Object.entries<Limit>(LIMITS).map(([kind, { points, duration, isFinal }]) => [
      kind,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: kind,
        points: points * factor,
        duration,
        // A flood is refused without asking the database, for the rest of a short period. With a long period another
        // process may reset the key meanwhile, so the database is asked each time.
        inMemoryBlockOnConsumed: isFinal || duration <= MINUTE ? points * factor + 1 : 0,
      }),
    ]),
  );
  const limiter = (kind: LimitKind) => limiters.get(kind) as RateLimiterPostgres;
  return {
    consume: async (kind, key, points = 1) => {
      try {
        await limiter(kind).consume(key, points);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        const { refusal: code = 'E_TOO_MANY_REQUESTS' }: Limit = LIMITS[kind];
        throw new DomainError(code, { seconds, minutes: Math.ceil(seconds / MINUTE) });
      }
    },
    count: async (kind, key) => (await limiter(kind).consume(key)).consumedPoints,
    forgive: async (kind, key) => {
      await limiter(kind).delete(key);
    },
    giveBack: async (kind, key) => {
      await limiter(kind).reward(key);
    },
    removeExpired: async () => {
      await pool.query('delete from rate_limits where expire < $1', [Date.now()]);
    },
  };
};
