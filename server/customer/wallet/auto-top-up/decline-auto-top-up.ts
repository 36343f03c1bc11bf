import { walletMails } from '../mails/wallet-mails.ts';
import type { PaymentRow } from '../payments/payment-store.ts';
import { endAutoTopUp, readWallet, updateWallet } from '../store.ts';
import type { SpendDeps } from '../wallet-deps.ts';

/** The pause after the first, the second, … decline in a row; the next decline turns it off. */
const PAUSES_SECONDS = [600, 3600];

/** Declines in a row turn it off, so that a card is not tried forever; a card that is gone turns it off immediately. */
export const declineAutoTopUp = async (
  deps: SpendDeps,
  { id: paymentId, accountId }: PaymentRow,
  { reason, cardGone }: { reason: string; cardGone: boolean },
): Promise<void> => {
  const wallet = await readWallet(deps.db, accountId);
  const declines = wallet.autoChargeDeclines + 1;
  const pauseSeconds = PAUSES_SECONDS[declines - 1];
  const stop = wallet.autoCharge && (cardGone || pauseSeconds === undefined);
  await endAutoTopUp(deps.db, accountId, pauseSeconds ?? 0);
  await updateWallet(deps.db, accountId, {
    auto_charge_declines: declines,
    ...(stop && { auto_charge: false, auto_charge_stopped: reason }),
  });
  await walletMails.request(deps, { kind: stop ? 'auto-stopped' : 'auto-declined', accountId, paymentId });
};
