import type { Language } from '../../../../contract/ground/constants.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { acceptEmail } from '../email.ts';
import { accountMails } from '../mails/account-mails.ts';

/** Only the worker finds out whether the email has an account: here the two cases don't differ, not even in time. */
export const forgotPassword = async (
  { queue, limits }: Pick<AccountsDeps, 'queue' | 'limits'>,
  { email: typed, language, address }: { email: string; language: Language; address: string },
): Promise<void> => {
  const email = acceptEmail(typed);
  await limits.consume('mail-address', address);
  // Not counted with the mails that registering causes, nor with those that others ask for.
  await limits.consume('reset-account-address', `${email} ${address}`);
  await limits.consume('reset-account', email);
  await accountMails.request({ queue }, { kind: 'reset', email, language });
};
