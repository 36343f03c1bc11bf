import { decimalFromMicros, numberFromMicros } from '../../../contract/ground/money.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { adjust } from './ledger/adjust.ts';
import type { WalletDeps } from './wallet-deps.ts';

export const adminWalletRoutes = (deps: WalletDeps): CallerRoutes => ({
  'POST /account/:accountId/adjustment': async ({ caller, params, body, headers, changed }) => {
    const { beforeMicros, balanceMicros, entryId, repeated } = await adjust(deps, {
      accountId: params.accountId,
      amount: body.amount,
      reason: body.reason,
      by: caller.accountId,
      idempotencyKey: headers['idempotency-key'],
    });
    changed({
      subject: entryId,
      before: { balance: decimalFromMicros(beforeMicros) },
      after: { balance: decimalFromMicros(balanceMicros), reason: body.reason, repeated },
    });
    return { balance: numberFromMicros(balanceMicros) };
  },
});
