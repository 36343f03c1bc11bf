import type { Profile } from '../../../contract/customer/accounts.ts';
import { brandName } from '../../../contract/customer/card-brands.ts';
import type { Card, EntryId, LedgerEntry, Payment } from '../../../contract/customer/wallet.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { MICROS_PER_CENT, numberFromMicros } from '../../../contract/ground/money.ts';
import { text } from '../../ground/translations/index.ts';
import { dailyCapMicros } from './auto-top-up/daily-cap.ts';
import { autoTopUpStopText, paymentReasonText } from './auto-top-up/reasons.ts';
import type { CardRow } from './cards/card-store.ts';
import type { EntryRow } from './ledger/ledger-store.ts';
import type { PaymentRow } from './payments/payment-store.ts';
import type { Wallet } from './store.ts';

/** As people know the card, with the digits that may be shown. */
export const cardLabel = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brandName(brand)} •••• ${last4}`;

export const cardView = ({ id, isDefault, last4, brand, expMonth, expYear }: CardRow): Card => ({
  _id: id,
  default: isDefault,
  customer: { sources: { data: [{ last4, brand, exp_month: expMonth, exp_year: expYear }] } },
});

export const paymentView = (language: Language, payment: PaymentRow): Payment => ({
  _id: payment.id,
  createdAt: payment.createdAt.toISOString(),
  currency: payment.currency,
  amount: numberFromMicros(payment.chargeMinor * MICROS_PER_CENT),
  amountUsd: numberFromMicros(payment.amountMicros),
  status: payment.status,
  type: payment.type,
  description: text(language, `wallet.payment.${payment.type}`, { card: cardLabel(payment) }),
  reason: paymentReasonText(language, payment.reason),
  ...(payment.status === 'PENDING' &&
    payment.clientSecret !== null && { clientSecret: payment.clientSecret }),
});

/** The cause as a text. */
export const describeEntry = (language: Language, { kind, details }: EntryRow): string => {
  const { paymentType, card, reason, sandboxEnded, channel, messages } = details;
  if (paymentType)
    return text(language, `wallet.payment.${paymentType}`, { card: card ? cardLabel(card) : '' });
  if (sandboxEnded) return text(language, 'wallet.entry.sandbox_ended');
  if (reason !== undefined) return text(language, 'wallet.entry.adjustment', { reason });
  if (channel && messages !== undefined)
    return text(language, `wallet.entry.${kind as 'CAPTURE' | 'REFUND' | 'RECAPTURE'}.messages`, {
      channel: text(language, `wallet.channel.${channel}`),
      messages,
    });
  return text(language, `wallet.entry.${kind}`);
};

export const entryView = (language: Language, entry: EntryRow): LedgerEntry => ({
  _id: String(entry.id) as EntryId,
  createdAt: entry.createdAt.toISOString(),
  kind: entry.kind,
  amount: numberFromMicros(entry.availableMicros),
  balance: numberFromMicros(entry.balanceMicros),
  description: describeEntry(language, entry),
});

export const paymentSettingView = (language: Language, wallet: Wallet): Profile['paymentSetting'] => ({
  autoCharge: wallet.autoCharge,
  autoChargeAmount:
    wallet.autoChargeAmountMicros === null ? null : numberFromMicros(wallet.autoChargeAmountMicros),
  cardId: wallet.cardId,
  autoChargeThreshold: numberFromMicros(wallet.autoChargeThresholdMicros),
  autoChargeDailyCap: numberFromMicros(dailyCapMicros(wallet)),
  autoChargeStopped: autoTopUpStopText(language, wallet.autoChargeStopped),
});
