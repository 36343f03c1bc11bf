import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AccountId } from '../contract/customer/accounts.ts';
import { createAccount, findContact, openPasswords, readSecrets } from '../server/customer/accounts/index.ts';
import { adjust } from '../server/customer/wallet/index.ts';
import { startEmbedded } from '../server/ground/embedded-postgres/index.ts';
import { type Db, migrate, openDatabase } from '../server/ground/postgres/index.ts';
import { type Program, startProgram } from '../test/program.ts';
import { aimAtDatabase } from './kill-database.ts';

/** Enough for a million messages a round: what one adjustment may add. */
const DOLLARS = 9_000;

export interface Customer {
  accountId: AccountId;
  secret: string;
  email: string;
  password: string;
}

export interface Posthorn {
  db: Db;
  databaseUrl: string;
  secretKey: string;
  /** Accounts with money: with plenty, or with exactly this much. */
  customers: (count: number, dollars?: number) => Promise<Customer[]>;
  refill: (customer: Customer, times?: number) => Promise<void>;
  /** The real program with these roles; all of them if none is named. */
  start: (roles: string[], env?: Record<string, string>) => Promise<Program>;
  /** `kill -9` of these programs, and of the database if asked to: it comes back by itself, the programs don't. */
  kill: (victims: Program[], options: { database: boolean }) => Promise<void>;
  close: () => Promise<void>;
}

/** The embedded database as in production, with fsync, for programs whose roles are separate processes. */
export const openPosthorn = async (folder: string): Promise<Posthorn> => {
  const dataDir = join(folder, 'data');
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 5, onError: () => {} });
  const secretKey = randomBytes(32);
  const passwords = openPasswords();
  const deps = { db, queue: { send: async () => {} }, contactOf: (id: AccountId) => findContact(db, id) };
  const programs = new Set<Program>();

  const give = (accountId: AccountId, amount: number) =>
    adjust(deps, {
      accountId,
      amount,
      reason: 'for the benchmark',
      by: accountId,
      idempotencyKey: undefined,
    });
  const refill = async ({ accountId }: Pick<Customer, 'accountId'>, times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) await give(accountId, DOLLARS);
  };
  const openCustomer = async (dollars: number): Promise<Customer> => {
    const mark = randomBytes(8).toString('hex');
    const who = { email: `${mark}@example.com`, password: mark };
    const accountId = await createAccount(
      { db, passwords, secretKey },
      { ...who, admin: false, active: true, language: 'en_US' },
    );
    if (!accountId) throw new Error('no account was made');
    if (dollars > 0) await give(accountId, dollars);
    return { ...who, accountId, secret: (await readSecrets({ db, secretKey }, accountId)).secret };
  };
  return {
    db,
    databaseUrl: embedded.url,
    secretKey: secretKey.toString('hex'),
    customers: async (count, dollars = DOLLARS) => {
      const made: Customer[] = [];
      while (made.length < count) made.push(await openCustomer(dollars));
      return made;
    },
    refill,
    start: async (roles, env = {}) => {
      const program = await startProgram({
        dataDir: join(folder, roles.join('-') || 'all'),
        args: roles.length > 0 ? ['--roles', roles.join(',')] : [],
        env: {
          DATABASE_URL: embedded.url,
          SECRET_KEY: secretKey.toString('hex'),
          LIMITS_FACTOR: '100000',
          // A round sends more than an account usually may in a day.
          SPEND_PER_DAY: '1000000',
          // Like Kannel, which logs errors only.
          LOG_LEVEL: 'warn',
          // The receivers of events are on this machine.
          WEBHOOKS_ALLOW_PRIVATE: 'true',
          ...env,
        },
      });
      programs.add(program);
      return program;
    },
    kill: async (victims, { database }) => {
      const killDatabase = database ? await aimAtDatabase(dataDir) : () => {};
      const ended = victims.map((program) => program.kill());
      killDatabase();
      await Promise.all(ended);
      for (const program of victims) programs.delete(program);
    },
    close: async () => {
      for (const program of [...programs].reverse()) await program.stop();
      await close();
      await embedded.stop();
    },
  };
};
