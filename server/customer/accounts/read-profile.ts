import type { AccountId, Profile } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { listDedicatedPhones } from '../senders/index.ts';
import { paymentSettingView, readWallet } from '../wallet/index.ts';
import { readAccount } from './store.ts';

export interface ProfileDeps {
  db: Db;
  /** The numbers of phones that are lent to an account, for SMS. */
  listLentNumbers: (db: Db, of: { accountId: AccountId; channel: 'sms' }) => Promise<string[]>;
}

export const readProfile = async (
  { db, listLentNumbers }: ProfileDeps,
  accountId: AccountId,
  language: Language,
): Promise<Profile> => {
  const [account, wallet, given, lent] = await Promise.all([
    readAccount(db, accountId),
    readWallet(db, accountId),
    listDedicatedPhones(db, accountId),
    listLentNumbers(db, { accountId, channel: 'sms' }),
  ]);
  return {
    _id: accountId,
    email: account.email,
    balance: numberFromMicros(wallet.balanceMicros),
    currency: wallet.currency,
    createdAt: account.createdAt.toISOString(),
    admin: account.admin,
    ...(account.admin && { adminRole: account.role }),
    timeZone: account.timeZone,
    setting: {
      receiveEmail: account.receiveEmail,
      webhook: account.webhook,
      sms: { dedicatedPhones: [...new Set([...given, ...lent])] },
    },
    paymentSetting: paymentSettingView(language, wallet),
  };
};
