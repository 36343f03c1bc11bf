import type { AccountId, Profile } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { listLentNumbers } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import { listDedicatedPhones } from '../senders/index.ts';
import { paymentSettingView, readWallet } from '../wallet/index.ts';
import { readAccount } from './store.ts';

export const readProfile = async (db: Db, accountId: AccountId, language: Language): Promise<Profile> => {
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
