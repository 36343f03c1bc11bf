import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { chargeMinor } from '../../../../contract/customer/settlement.ts';
import { type CardRow, findCard } from '../cards/card-store.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { makeCharge } from '../payments/make-charge.ts';
import {
  hasPendingAutoTopUp,
  insertPayment,
  type PaymentRow,
  readAutoTopUpDay,
  readPayment,
} from '../payments/payment-store.ts';
import { endAutoTopUp, lockWallet, updateWallet, type Wallet } from '../store.ts';
import type { SpendDeps, WalletDeps } from '../wallet-deps.ts';
import { dailyCapMicros } from './daily-cap.ts';
import { OTHER_PROCESSOR } from './reasons.ts';

const fitsDay = async (deps: SpendDeps, wallet: Wallet, amountMicros: bigint): Promise<boolean> => {
  const { toppedUpMicros, freesInSeconds } = await readAutoTopUpDay(deps.db, wallet.accountId);
  if (toppedUpMicros + amountMicros <= dailyCapMicros(wallet)) return true;
  await endAutoTopUp(deps.db, wallet.accountId, Math.max(60, freesInSeconds));
  await walletMails.request(deps, { kind: 'daily-cap', accountId: wallet.accountId });
  return false;
};

/**
 * The card belongs to the previous card provider. Automatic top-up is turned off, and the mail reports the low balance
 * instead.
 */
const stopForOtherProcessor = async (deps: SpendDeps, accountId: AccountId): Promise<void> => {
  await updateWallet(deps.db, accountId, { auto_charge: false, auto_charge_stopped: OTHER_PROCESSOR });
  await walletMails.request(deps, { kind: 'low-balance', accountId });
};

/** Stores the payment if one is still due. Another top-up may have arrived since the task was enqueued. */
const begin = async (
  { db, queue, processor, hkdPerUsd }: WalletDeps,
  accountId: AccountId,
): Promise<{ payment: PaymentRow; card: CardRow } | undefined> => {
  const wallet = await lockWallet(db, accountId);
  if (!wallet.autoChargeAskedAt || (await hasPendingAutoTopUp(db, accountId))) return undefined;
  const { autoChargeAmountMicros: amountMicros, cardId, currency } = wallet;
  const card = cardId ? await findCard(db, { accountId, processor: processor.name }, cardId) : undefined;
  // A suspended account is not charged; the wallet still wants its top-up, which follows when it is restored.
  const wanted =
    !wallet.suspendedAt && wallet.autoCharge && wallet.balanceMicros < wallet.autoChargeThresholdMicros;
  if (!wanted || !card || amountMicros === null) {
    await endAutoTopUp(db, accountId, 0);
    if (wanted) await stopForOtherProcessor({ db, queue }, accountId);
    return undefined;
  }
  if (!(await fitsDay({ db, queue }, wallet, amountMicros))) return undefined;
  const paymentId = await insertPayment(db, {
    accountId,
    type: 'AUTO_TOP_UP',
    status: 'PENDING',
    amountMicros,
    currency,
    chargeMinor: chargeMinor(amountMicros, currency, hkdPerUsd),
    cardId: card.id,
    processor: processor.name,
  });
  const payment = paymentId && (await readPayment(db, paymentId));
  return payment && { payment, card };
};

/**
 * The task that a spend below the threshold enqueues. Until the payment has an outcome no other one is enqueued, and
 * the database holds at most one such pending payment.
 */
export const runAutoTopUp = async (deps: WalletDeps, accountId: AccountId): Promise<void> => {
  const begun = await deps.db.transaction().execute((trx) => begin({ ...deps, db: trx }, accountId));
  if (begun) await makeCharge(deps, { ...begun, onSession: false });
};
