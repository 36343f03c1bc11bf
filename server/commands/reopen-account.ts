import { parseArgs } from 'node:util';
import { DEFAULT_LANGUAGE } from '../../contract/ground/constants.ts';
import { readConfig } from '../config.ts';
import { reopenAccount } from '../customer/accounts/index.ts';
import { DomainError } from '../ground/domain-error.ts';
import { StartFault, say, sayFault } from '../ground/terminal/index.ts';
import { text } from '../ground/translations/index.ts';
import { openInstallation } from '../start/installation.ts';

const run = async (): Promise<void> => {
  const { positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [email] = positionals;
  if (!email) throw new StartFault('Say whose account it is: npm run reopen-account -- EMAIL.');
  const { database, key, close } = await openInstallation(readConfig(), { say, beside: true });
  try {
    await reopenAccount({ db: database.db, secretKey: key }, email);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartFault(
      error.code === 'E_NOT_FOUND'
        ? `${email} has no account.`
        : text(DEFAULT_LANGUAGE, `error.${error.code}`, error.params),
    );
  } finally {
    await close();
  }
  say(`opened the account ${email} again: its password is the old one, its secrets are new`);
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
