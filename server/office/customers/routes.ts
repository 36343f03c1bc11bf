import type { AccountId } from '../../../contract/customer/accounts.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { Customer } from '../../../contract/office/customers.ts';
import { findContact } from '../../customer/accounts/index.ts';
import { type SpendDeps, type SpendingRules, suspend } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { type CustomerRow, listCustomers } from './store.ts';

export interface CustomersDeps extends SpendDeps {
  rules: Pick<SpendingRules, 'approval'>;
}

const view = ({
  id,
  createdAt,
  balanceMicros,
  spentTodayMicros,
  spentMicros,
  dayLimitMicros,
  newCountriesLimit,
  suspendedAt,
  webhookFailingSince,
  ...same
}: CustomerRow): Customer => ({
  ...same,
  _id: id,
  createdAt: createdAt.toISOString(),
  balance: numberFromMicros(balanceMicros),
  spentToday: numberFromMicros(spentTodayMicros),
  spent30Days: numberFromMicros(spentMicros),
  spendPerDay: dayLimitMicros === null ? null : numberFromMicros(dayLimitMicros),
  newCountriesPerDay: newCountriesLimit,
  suspendedAt: suspendedAt?.toISOString() ?? null,
  webhookFailingSince: webhookFailingSince?.toISOString() ?? null,
});

/** Accounts as admins see them: each with its money, state and spending. */
export const customerListRoutes = ({ db, rules }: Pick<CustomersDeps, 'db' | 'rules'>): CallerRoutes => ({
  'GET /admin/accounts': async ({ query: { limit, ...search } }) => {
    const found = await listCustomers(db, { ...search, approval: rules.approval, limit: limit + 1 });
    return { accounts: found.slice(0, limit).map(view), more: found.length > limit };
  },
});

export const suspensionRoutes = ({ db, queue }: SpendDeps): CallerRoutes => {
  const requireAccount = async (accountId: AccountId): Promise<void> => {
    if (!(await findContact(db, accountId))) throw new DomainError('E_NOT_FOUND');
  };
  return {
    'POST /admin/accounts/:accountId/suspension': async ({ params, body, language, changed }) => {
      await requireAccount(params.accountId);
      changed(await suspend({ db, queue }, { ...params, reason: body.reason }));
      return { message: text(language, 'customers.suspended') };
    },
    'DELETE /admin/accounts/:accountId/suspension': async ({ params, language, changed }) => {
      await requireAccount(params.accountId);
      changed(await suspend({ db, queue }, { ...params, reason: null }));
      return { message: text(language, 'customers.restored') };
    },
  };
};
