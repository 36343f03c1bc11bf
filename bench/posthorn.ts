import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AccountId } from '../contract/accounts.ts';
import { createAccount, findContact, openPasswords, readSecrets } from '../server/accounts/index.ts';
import { type Db, migrate, openDatabase, startEmbedded } from '../server/postgres/index.ts';
import { adjust } from '../server/wallet/index.ts';
import { type Program, startProgram } from '../test/program.ts';

/** Enough for a million messages a round: what one adjustment may add. */
const DOLLARS = 9_000;

export interface Customer {
  accountId: AccountId;
  secret: string;
}

export interface Posthorn {
  db: Db;
  databaseUrl: string;
  secretKey: string;
  /** Accounts with money. */
  customers: (count: number) => Promise<Customer[]>;
  refill: (customer: Customer, times?: number) => Promise<void>;
  /** The real program with these roles. */
  start: (roles: string[], env?: Record<string, string>) => Promise<Program>;
  close: () => Promise<void>;
}

/** The embedded database as in production, with fsync, for programs whose roles are separate processes. */
export const openPosthorn = async (folder: string): Promise<Posthorn> => {
  const embedded = await startEmbedded({ dataDir: join(folder, 'data'), say: () => {} });
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 5, onError: () => {} });
  const secretKey = randomBytes(32);
  const passwords = openPasswords();
  const deps = { db, queue: { send: async () => {} }, contactOf: (id: AccountId) => findContact(db, id) };
  const programs: Program[] = [];

  const refill = async ({ accountId }: Pick<Customer, 'accountId'>, times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      await adjust(deps, {
        accountId,
        amount: DOLLARS,
        reason: 'for the benchmark',
        by: accountId,
        idempotencyKey: undefined,
      });
  };
  const openCustomer = async (): Promise<Customer> => {
    const mark = randomBytes(8).toString('hex');
    const accountId = await createAccount(
      { db, passwords, secretKey },
      { email: `${mark}@example.com`, password: mark, admin: false, active: true, language: 'en_US' },
    );
    if (!accountId) throw new Error('no account was made');
    await refill({ accountId });
    return { accountId, secret: (await readSecrets({ db, secretKey }, accountId)).secret };
  };
  return {
    db,
    databaseUrl: embedded.url,
    secretKey: secretKey.toString('hex'),
    customers: async (count) => {
      const made: Customer[] = [];
      while (made.length < count) made.push(await openCustomer());
      return made;
    },
    refill,
    start: async (roles, env = {}) => {
      const program = await startProgram({
        dataDir: join(folder, roles.join('-')),
        args: ['--roles', roles.join(',')],
        env: {
          DATABASE_URL: embedded.url,
          SECRET_KEY: secretKey.toString('hex'),
          LIMITS_FACTOR: '100000',
          // Like Kannel, which logs errors only.
          LOG_LEVEL: 'warn',
          ...env,
        },
      });
      programs.push(program);
      return program;
    },
    close: async () => {
      for (const program of programs.reverse()) await program.stop();
      await close();
      await embedded.stop();
    },
  };
};
