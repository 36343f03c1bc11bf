import { numberFromMicros } from '../../../../contract/ground/money.ts';
import { readWallet } from '../../../customer/wallet/index.ts';
import type { SenderRoutes } from '../../../ground/route/index.ts';
import { type CancelDeps, cancelBatch, cancelMessage } from './cancel.ts';

/** For an account's secret, its test secret or its session. */
export const cancelRoutes = (deps: CancelDeps): SenderRoutes => ({
  'POST /messages/:messageId/cancel': async ({ sender, params }) => {
    const { refundedMicros } = await cancelMessage(deps, { sender, ...params });
    const { balanceMicros } = await readWallet(deps.db, sender.accountId);
    return {
      _id: params.messageId,
      status: 'CANCELLED',
      refunded: numberFromMicros(refundedMicros),
      balance: numberFromMicros(balanceMicros),
    };
  },
  'POST /batches/:batchId/cancel': async ({ sender, params }) => {
    const { refundedMicros, cancelled, waiting } = await cancelBatch(deps, { sender, ...params });
    const { balanceMicros } = await readWallet(deps.db, sender.accountId);
    return {
      _id: params.batchId,
      cancelled,
      waiting,
      refunded: numberFromMicros(refundedMicros),
      balance: numberFromMicros(balanceMicros),
    };
  },
});
