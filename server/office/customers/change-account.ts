import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { SERVER } from '../../../contract/office/audit.ts';
import { isOpen } from '../../customer/accounts/index.ts';
import { giveSender } from '../../customer/senders/index.ts';
import {
  adjust,
  changeLimits,
  readWallet,
  type SpendDeps,
  suspend,
  type WalletDeps,
} from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { AuditChange } from '../../ground/route/index.ts';
import { openAudit } from '../audit/index.ts';

type ChangeDeps = SpendDeps & Pick<WalletDeps, 'contactOf'>;

interface Asked {
  accountId: AccountId;
  values: string[];
  reason: string;
}

const numberOf = (typed: string | undefined): number | null => {
  if (typed === 'default') return null;
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(typed ?? '')) throw new DomainError('E_AMOUNT_INVALID');
  return Number(typed);
};

const limitsOf = async (db: Db, accountId: AccountId) => {
  const { approvedAt, dayLimitMicros, newCountriesLimit } = await readWallet(db, accountId);
  return { approvedAt, dayLimitMicros: dayLimitMicros && String(dayLimitMicros), newCountriesLimit };
};

const limited = async (
  { db }: ChangeDeps,
  { accountId }: Asked,
  limits: Parameters<typeof changeLimits>[2],
): Promise<AuditChange> => {
  const before = await limitsOf(db, accountId);
  await changeLimits(db, accountId, limits);
  return { before, after: await limitsOf(db, accountId) };
};

/** What can be changed, each with the values that it takes. */
export const CHANGES: Record<
  string,
  { values: string[]; make: (deps: ChangeDeps, asked: Asked) => Promise<AuditChange> }
> = {
  approve: { values: [], make: (deps, asked) => limited(deps, asked, { approved: true }) },
  'spend-per-day': {
    values: ['USD|default'],
    make: (deps, asked) => limited(deps, asked, { spendPerDay: numberOf(asked.values[0]) }),
  },
  'new-countries': {
    values: ['NUMBER|default'],
    make: (deps, asked) => {
      const newCountriesPerDay = numberOf(asked.values[0]);
      if (!Number.isInteger(newCountriesPerDay ?? 0)) throw new DomainError('E_AMOUNT_INVALID');
      return limited(deps, asked, { newCountriesPerDay });
    },
  },
  credit: {
    values: ['USD'],
    make: async (deps, { accountId, values: [amount = ''], reason }) => {
      const wanted = { accountId, amount, reason, by: SERVER, idempotencyKey: undefined };
      const { beforeMicros, balanceMicros, entryId } = await adjust(deps, wanted);
      return {
        subject: entryId,
        before: { balanceMicros: String(beforeMicros) },
        after: { balanceMicros: String(balanceMicros) },
      };
    },
  },
  restore: { values: [], make: (deps, { accountId }) => suspend(deps, { accountId, reason: null }) },
  'give-sender': {
    values: ['CHANNEL', 'SENDER'],
    make: async ({ db }, { accountId, values: [given, sender = ''] }) => {
      const channel = CHANNELS.find((one) => one === given);
      if (!channel) throw new DomainError('E_INVALID_REQUEST', { reason: CHANNELS.join(', ') });
      const holdOpen = (trx: Db) => isOpen(trx, accountId, { locked: true });
      const { id } = await giveSender({ db, holdOpen }, { accountId, channel, sender });
      return { subject: String(id), after: { channel, sender } };
    },
  },
};

/**
 * What admins may not do for their own account, done by whoever runs the server: for an installation with one owner.
 * The audit log has it as any admin's write, with the user and the machine.
 */
export const changeAccount = async (
  deps: ChangeDeps,
  { change, from, ...asked }: Asked & { change: string; from: string },
): Promise<void> => {
  const { accountId, values, reason } = asked;
  const call = { adminId: SERVER, call: 'npm run change-account', accountId, subject: '', address: from };
  const { end } = await openAudit(deps.db).ask(call, { change, values, reason });
  let made: AuditChange;
  try {
    const found = CHANGES[change];
    if (!found || found.values.length !== values.length || reason.trim() === '')
      throw new DomainError('E_INVALID_REQUEST', { reason: change });
    made = await found.make(deps, asked);
  } catch (error) {
    const code = error instanceof DomainError ? error.code : undefined;
    await end({ event: code ? 'refused' : 'failed', after: code ? { code } : null });
    throw error;
  }
  await end({ event: 'done', ...made });
};
