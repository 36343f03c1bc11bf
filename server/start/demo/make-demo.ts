import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_LANGUAGE } from '../../../contract/ground/constants.ts';
import { createAccount, findByEmail } from '../../customer/accounts/index.ts';
import { makeDemoWallet, type WalletDeps } from '../../customer/wallet/index.ts';
import { countUsage, type PhonesDeps } from '../../fleet/phones/index.ts';
import { findFact, keepFact } from '../../ground/installation/index.ts';
import type { SendingDeps } from '../../traffic/sending/index.ts';
import { makeDemoCarriers } from './make-demo-carriers.ts';
import { makeDemoMessages } from './make-demo-messages.ts';
import { makeDemoPhones } from './make-demo-phones.ts';

interface Person {
  email: string;
  password: string;
}
interface FirstRun {
  customer: Person;
  admin: Person;
}

const FILE = 'first-run.json';
/** At least as many as its messages go back. */
const DEMO_DAYS = 10;

/** Written before the accounts exist and read again by a start after a crash: the file is always right. */
const readOrMake = async (path: string): Promise<FirstRun> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const person = (email: string): Person => ({ email, password: randomBytes(12).toString('base64url') });
  const firstRun = { customer: person('demo@example.com'), admin: person('admin@example.com') };
  await writeFile(`${path}.new`, `${JSON.stringify(firstRun, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return firstRun;
};

/** Creates the demo once per embedded database; returns where its passwords are. */
export const makeDemo = async (
  {
    accounts,
    wallet,
    sending,
    phones,
  }: {
    accounts: Parameters<typeof createAccount>[0];
    wallet: WalletDeps;
    sending: SendingDeps;
    phones: PhonesDeps;
  },
  dataDir: string,
): Promise<string> => {
  const path = join(dataDir, FILE);
  if (await findFact(accounts.db, 'first_run')) return path;
  const { customer, admin } = await readOrMake(path);
  // Repeated after a crash, each step finds what the first attempt created.
  const facts = { active: true, language: DEFAULT_LANGUAGE };
  await createAccount(accounts, { ...admin, ...facts, admin: true });
  const accountId =
    (await createAccount(accounts, { ...customer, ...facts, admin: false })) ??
    (await findByEmail(accounts.db, customer.email))?.id;
  if (accountId) {
    await makeDemoWallet(wallet, accountId);
    await makeDemoCarriers(accounts.db);
    await makeDemoPhones(phones);
    await makeDemoMessages(sending, accountId);
    await countUsage(accounts.db, { daysBack: DEMO_DAYS });
  }
  await keepFact(accounts.db, 'first_run', new Date().toISOString());
  return path;
};
