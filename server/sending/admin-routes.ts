import type { AccountId } from '../../contract/accounts.ts';
import type { Reply } from '../../contract/calls.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { findContact } from '../accounts/index.ts';
import { DomainError } from '../domain-error.ts';
import type { CallerRoutes } from '../route/index.ts';
import { changeLimits, readSpent, readWallet } from '../wallet/index.ts';
import { readCountries } from './country-store.ts';
import type { SendingDeps } from './sending-deps.ts';

type AdminDeps = Pick<SendingDeps, 'db' | 'rules'>;

const optionalNumber = (micros: bigint | null): number | null =>
  micros === null ? null : numberFromMicros(micros);

const viewLimits = async (
  { db, rules }: AdminDeps,
  accountId: AccountId,
): Promise<Reply<'GET /admin/accounts/:accountId/limits'>> => {
  const wallet = await readWallet(db, accountId);
  return {
    approvedAt: wallet.approvedAt?.toISOString() ?? null,
    approvalNeeded: rules.approval,
    spendPerDay: optionalNumber(wallet.dayLimitMicros),
    newCountriesPerDay: wallet.newCountriesLimit,
    defaults: {
      spendPerDay: optionalNumber(rules.dayLimitMicros),
      newCountriesPerDay: Number.isFinite(rules.newCountries) ? rules.newCountries : null,
    },
    today: {
      spent: numberFromMicros(await readSpent(db, accountId)),
      newCountries: (await readCountries(db, accountId)).today,
    },
  };
};

const requireAccount = async ({ db }: AdminDeps, accountId: AccountId): Promise<void> => {
  if (!(await findContact(db, accountId))) throw new DomainError('E_NOT_FOUND');
};

export const adminLimitRoutes = (deps: AdminDeps): CallerRoutes => ({
  'GET /admin/accounts/:accountId/limits': async ({ params: { accountId } }) => {
    await requireAccount(deps, accountId);
    return viewLimits(deps, accountId);
  },
  'PUT /admin/accounts/:accountId/limits': async ({ params: { accountId }, body }) => {
    await requireAccount(deps, accountId);
    await changeLimits(deps.db, accountId, body);
    return viewLimits(deps, accountId);
  },
  'POST /admin/accounts/:accountId/approval': async ({ params: { accountId }, body }) => {
    await requireAccount(deps, accountId);
    await changeLimits(deps.db, accountId, body);
    return viewLimits(deps, accountId);
  },
});
