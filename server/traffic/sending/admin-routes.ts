import type { Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { findContact } from '../../customer/accounts/index.ts';
import { changeLimits, readSpent, readWallet } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { AuditChange, CallerRoutes } from '../../ground/route/index.ts';
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

const change = async (
  deps: AdminDeps,
  {
    accountId,
    wanted,
    changed,
  }: {
    accountId: AccountId;
    wanted: Parameters<typeof changeLimits>[2];
    changed: (change: AuditChange) => void;
  },
) => {
  await requireAccount(deps, accountId);
  const before = await viewLimits(deps, accountId);
  await changeLimits(deps.db, accountId, wanted);
  const after = await viewLimits(deps, accountId);
  changed({ before, after });
  return after;
};

export const adminLimitRoutes = (deps: AdminDeps): CallerRoutes => ({
  'GET /admin/accounts/:accountId/limits': async ({ params: { accountId } }) => {
    await requireAccount(deps, accountId);
    return viewLimits(deps, accountId);
  },
  'PUT /admin/accounts/:accountId/limits': ({ params: { accountId }, body, changed }) =>
    change(deps, { accountId, wanted: body, changed }),
  'POST /admin/accounts/:accountId/approval': ({ params: { accountId }, body, changed }) =>
    change(deps, { accountId, wanted: body, changed }),
});
