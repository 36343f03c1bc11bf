import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DEFAULT_LANGUAGE } from '../../contract/ground/constants.ts';
import { readConfig } from '../config.ts';
import { createAccount, openPasswords } from '../customer/accounts/index.ts';
import { DomainError } from '../ground/domain-error.ts';
import { StartFault, say, sayFault } from '../ground/terminal/index.ts';
import { text } from '../ground/translations/index.ts';
import { openInstallation } from '../start/installation.ts';

const run = async (): Promise<void> => {
  const { positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [email, given] = positionals;
  if (!email) throw new StartFault('Say whose account it is: npm run create-admin -- EMAIL [PASSWORD].');
  const password = given ?? randomBytes(12).toString('base64url');
  const { database, key, close } = await openInstallation(readConfig(), { say, beside: true });
  try {
    const account = { email, password, admin: true, active: true, language: DEFAULT_LANGUAGE };
    const deps = { db: database.db, passwords: openPasswords(), secretKey: key };
    if (!(await createAccount(deps, account))) throw new StartFault(`${email} has an account already.`);
  } catch (error) {
    if (error instanceof DomainError)
      throw new StartFault(text(DEFAULT_LANGUAGE, `error.${error.code}`, error.params));
    throw error;
  } finally {
    await close();
  }
  say(`created the admin ${email}${given ? '' : ` with the password ${password}`}`);
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
