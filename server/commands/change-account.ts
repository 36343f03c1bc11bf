import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { DEFAULT_LANGUAGE } from '../../contract/ground/constants.ts';
import { readConfig } from '../config.ts';
import { findByEmail, findContact } from '../customer/accounts/index.ts';
import { DomainError } from '../ground/domain-error.ts';
import { openQueue } from '../ground/queue/index.ts';
import { StartFault, say, sayFault } from '../ground/terminal/index.ts';
import { text } from '../ground/translations/index.ts';
import { CHANGES, changeAccount } from '../office/customers/index.ts';
import { openInstallation } from '../start/installation.ts';

const USAGE = `Say whose account, what and why: npm run change-account -- EMAIL CHANGE REASON. CHANGE is one of ${Object.entries(
  CHANGES,
)
  .map(([name, { values }]) => [name, ...values].join(' '))
  .join(', ')}.`;

const readAsked = () => {
  const { positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [email, change = '', ...rest] = positionals;
  const takes = Object.hasOwn(CHANGES, change) ? CHANGES[change]?.values.length : undefined;
  if (!email || takes === undefined || rest.length !== takes + 1) throw new StartFault(USAGE);
  return { email, change, values: rest.slice(0, takes), reason: rest.at(-1) ?? '' };
};

const run = async (): Promise<void> => {
  const { email, ...asked } = readAsked();
  const { database, url, log, close } = await openInstallation(readConfig(), { say, beside: true });
  const { db } = database;
  const onError = (error: unknown) => log.warn({ err: error }, 'the queue reported an error');
  const queue = await openQueue({ url, worker: false, onError });
  try {
    const account = await findByEmail(db, email.trim().toLowerCase());
    if (!account) throw new StartFault(`${email} has no account.`);
    const { id: accountId } = account;
    const deps = { db, queue, contactOf: (id: AccountId) => findContact(db, id) };
    await changeAccount(deps, { ...asked, accountId, from: `${userInfo().username}@${hostname()}` });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartFault(text(DEFAULT_LANGUAGE, `error.${error.code}`, error.params));
  } finally {
    await queue.stop(0);
    await close();
  }
  say(`changed the account ${email}: ${[asked.change, ...asked.values].join(' ')}; the audit log has it`);
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
