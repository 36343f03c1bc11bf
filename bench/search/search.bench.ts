import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { createAccount, openPasswords } from '../../server/customer/accounts/index.ts';
import { startEmbedded } from '../../server/ground/embedded-postgres/index.ts';
import { type Db, migrate, openDatabase } from '../../server/ground/postgres/index.ts';
import { startProgram } from '../../test/program.ts';
import type { Bar, Definition } from '../definition.ts';
import { askerOf, isAdmins, type Person, type Question, questions } from './search-questions.ts';
import { addRefunds, storeMessages } from './search-rows.ts';

const ACCOUNTS = 200;
const ROUNDS = 100;
const PASSWORD = randomBytes(12).toString('hex');

const makeAccounts = async (db: Db, key: Buffer): Promise<AccountId[]> => {
  const deps = { db, passwords: openPasswords(), secretKey: key };
  const ids: AccountId[] = [];
  for (let n = 0; n < 2; n += 1) {
    const email = `person-${n}@example.com`;
    const given = { email, password: PASSWORD, admin: n === 1, active: true, language: 'en_US' as const };
    const id = await createAccount(deps, given);
    if (id) ids.push(id);
  }
  // The others never sign in: their rows are copies of the first, which saves hashing a password.
  const { rows } = await sql<{ id: AccountId }>`
    insert into accounts (id, email, password_hash, secret_hash, secret_sealed, language, activated_at)
    select gen_random_uuid(), 'other-' || n || '@example.com', a.password_hash, sha256(n::text::bytea), a.secret_sealed, 'en_US', now()
    from accounts a cross join generate_series(1, ${ACCOUNTS - 2}) n where a.id = ${ids[0]}
    returning id`.execute(db);
  return [...ids, ...rows.map(({ id }) => id)];
};

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

interface Measured {
  label: string;
  name: string;
  p50: number;
  p95: number;
}

const measure = async (
  asked: Question[],
  { rounds, before }: { rounds: number; before: number },
): Promise<Measured[]> => {
  const times = new Map<string, number[]>();
  // In turns, so that a disturbance of the machine affects all of them alike.
  for (let round = -before; round < rounds; round += 1)
    for (const { name, ask } of asked) {
      const begun = performance.now();
      await ask(round + before);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
    }
  return asked.map(({ label, name }) => {
    const taken = times.get(name) ?? [];
    return { label, name, p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) };
  });
};

const logIn = async (url: string, n: number, accountId: AccountId): Promise<Person> => {
  const answer = await fetch(`${url}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `person-${n}@example.com`, password: PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  return { accountId, token };
};

const BARS: Bar[] = [
  { figure: 'firstP95Ms', max: 50 },
  { figure: 'firstAdminP95Ms', max: 50 },
  { figure: 'deepByFirst', max: 2 },
  { figure: 'deepAdminByFirst', max: 2 },
  { figure: 'phoneP95Ms', max: 20 },
  { figure: 'idP95Ms', max: 20 },
  { figure: 'textP95Ms', max: 300 },
  { figure: 'billP95Ms', max: 50 },
  { figure: 'daysP95Ms', max: 50 },
];

/** Of what an admin's pages ask. */
const ADMIN_BAR_MS = 100;

const SIZES: Record<string, number> = { '1m': 1_000_000, '10m': 10_000_000 };

/** For the connections that store millions of rows: sorts in memory, and no wait for the disk. */
const storingUrl = (url: string): string => {
  const place = new URL(url);
  const settings = ['work_mem=256MB', 'maintenance_work_mem=512MB', 'synchronous_commit=off'];
  place.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
  return place.href;
};

/** Finding messages among more and more of them, over HTTP, on the embedded database. */
const definition: Definition = {
  title: 'Finding messages',
  parts: Object.keys(SIZES),
  run: async ({ quick, parts, size: share = 1 }) => {
    const named = Object.entries(SIZES).filter(([name]) => parts.length === 0 || parts.includes(name));
    const sizes = quick ? [20_000, 60_000] : named.map(([, size]) => size);
    const folder = await mkdtemp(join(tmpdir(), 'posthorn-search-'));
    const embedded = await startEmbedded({ dataDir: folder, say: () => {} });
    try {
      await migrate(embedded.url);
      const { db, close } = openDatabase({ url: storingUrl(embedded.url), max: 2, onError: () => {} });
      const key = randomBytes(32);
      const accounts = await makeAccounts(db, key);
      const [largest, adminId] = accounts as [AccountId, AccountId];
      const rows: Record<string, string | number>[] = [];
      let last: Measured[] = [];
      try {
        for (const size of sizes) {
          const begun = performance.now();
          await storeMessages(db, accounts, size);
          await addRefunds(db, largest);
          const seconds = Math.round((performance.now() - begun) / 1_000);
          console.log(`${size} messages stored in ${seconds} s`);
          const { rows: known } = await sql<{ id: string; recipient: string }>`
            select id, recipient from messages where account_id = ${largest} and type = 'outgoing'
            order by created_at desc limit 50`.execute(db);
          // Only now: the program's own background queries would otherwise run without the indexes.
          const program = await startProgram({
            dataDir: folder,
            args: ['--roles', 'web'],
            env: {
              DATABASE_URL: embedded.url,
              SECRET_KEY: key.toString('hex'),
              LIMITS_FACTOR: '1000',
            },
          });
          try {
            const customer = askerOf(program.url, await logIn(program.url, 0, largest));
            const admin = askerOf(program.url, await logIn(program.url, 1, adminId));
            const phones = known.map(({ recipient }) => recipient);
            const asked = questions(customer, admin, {
              customerId: largest,
              smallId: accounts.at(-1) as AccountId,
              phones,
              ids: known.map(({ id }) => id),
              page: quick ? 20 : 1_000,
              many: !quick,
            });
            last = await measure(
              asked,
              quick ? { rounds: 1, before: 1 } : { rounds: Math.ceil(ROUNDS * share), before: 3 },
            );
          } finally {
            await program.stop();
          }
          rows.push(
            ...last.map(({ label, p50, p95 }) => ({
              messages: size,
              what: label,
              'p50 (ms)': p50,
              'p95 (ms)': p95,
            })),
          );
        }
      } finally {
        await close();
      }
      const of = (name: string): Measured => last.find((one) => one.name === name) as Measured;
      const admins = last.filter(({ name }) => isAdmins(name));
      const figures = {
        ...Object.fromEntries(last.map(({ name, p95 }) => [`${name}P95Ms`, p95])),
        deepByFirst: of('deep').p50 / of('first').p50,
        deepAdminByFirst: of('deepAdmin').p50 / of('firstAdmin').p50,
      };
      const bars = admins.map(({ name }) => ({ figure: `${name}P95Ms`, max: ADMIN_BAR_MS }));
      return { rows, figures, bars: [...BARS, ...bars] };
    } finally {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
export default definition;
