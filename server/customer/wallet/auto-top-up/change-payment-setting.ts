import type { Body } from '../../../../contract/calls.ts';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { cardId as cardIdShape } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { findCard } from '../cards/card-store.ts';
import { acceptAmount, acceptTopUp } from '../payments/top-up-terms.ts';
import { lockWallet, updateWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { requestAutoTopUp } from './auto-top-up-request.ts';

type PaymentSetting = Body<'PUT /account/:accountId/paymentSetting'>;
type TurnedOn = Extract<PaymentSetting, { autoCharge: true }>;

const turnOn = async (
  { db, queue, processor, hkdPerUsd }: WalletDeps,
  accountId: AccountId,
  change: TurnedOn,
): Promise<void> => {
  const amountMicros = acceptTopUp(change.autoChargeAmount, hkdPerUsd);
  const threshold =
    change.autoChargeThreshold === undefined ? undefined : acceptAmount(change.autoChargeThreshold);
  const givenCap =
    change.autoChargeDailyCap === undefined ? undefined : acceptAmount(change.autoChargeDailyCap);
  const cardId = cardIdShape.safeParse(change.cardId).data;
  await db.transaction().execute(async (trx) => {
    const wallet = await lockWallet(trx, accountId);
    const card = cardId && (await findCard(trx, { accountId, processor: processor.name }, cardId));
    if (!card) throw new DomainError('E_CARD_UNKNOWN');
    const cap = givenCap ?? wallet.autoChargeDailyCapMicros;
    // A cap is a promise: only its owner may raise one that is less than a top-up.
    if (cap !== null && cap < amountMicros) throw new DomainError('E_DAILY_CAP_TOO_LOW');
    await updateWallet(trx, accountId, {
      auto_charge: true,
      auto_charge_amount_micros: amountMicros,
      card_id: card.id,
      auto_charge_daily_cap_micros: cap,
      ...(threshold !== undefined && { auto_charge_threshold_micros: threshold }),
      auto_charge_declines: 0,
      auto_charge_stopped: '',
      auto_charge_next_at: null,
      auto_charge_wanted: wallet.balanceMicros < (threshold ?? wallet.autoChargeThresholdMicros),
    });
    // A balance that is already low may never be spent from again, so no spend would start the top-up.
    await requestAutoTopUp({ db: trx, queue }, accountId);
  });
};

/**
 * Turning it on needs all settings together; turning it off keeps the amount and the card, so that the form offers them
 * again.
 */
export const changePaymentSetting = async (
  deps: WalletDeps,
  accountId: AccountId,
  change: PaymentSetting,
): Promise<void> => {
  if ('currency' in change) return updateWallet(deps.db, accountId, { currency: change.currency });
  if (change.autoCharge) return turnOn(deps, accountId, change);
  return updateWallet(deps.db, accountId, { auto_charge: false, auto_charge_stopped: '' });
};
