import { requestMail } from './mail-request.ts';
import type { PaymentRow } from './payment-store.ts';
import { endAutoTopUp, readWallet, updateWallet } from './store.ts';
import type { Till } from './wallet-deps.ts';

const MAX_DECLINES = 3;
const PAUSE_SECONDS = 60;

/** Declines in a row turn it off, so that a card is not tried for ever; a card that is gone does at once. */
export const declineAutoTopUp = async (
  till: Till,
  { id: paymentId, accountId }: PaymentRow,
  { reason, cardGone }: { reason: string; cardGone: boolean },
): Promise<void> => {
  const wallet = await readWallet(till.db, accountId);
  const declines = wallet.autoChargeDeclines + 1;
  const stop = wallet.autoCharge && (cardGone || declines >= MAX_DECLINES);
  await endAutoTopUp(till.db, accountId, PAUSE_SECONDS);
  await updateWallet(till.db, accountId, {
    auto_charge_declines: declines,
    ...(stop && { auto_charge: false, auto_charge_stopped: reason }),
  });
  await requestMail(till, { kind: stop ? 'auto-stopped' : 'auto-declined', accountId, paymentId });
};
