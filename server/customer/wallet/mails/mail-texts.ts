import type { Language } from '../../../../contract/ground/constants.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import { localTime } from '../../../ground/local-time/index.ts';
import { type MailContent, writeLetter } from '../../../ground/mail/index.ts';
import type { Label } from '../../../ground/translations/index.ts';
import { dailyCapMicros } from '../auto-top-up/daily-cap.ts';
import { paymentReasonText } from '../auto-top-up/reasons.ts';
import type { PaymentRow } from '../payments/payment-store.ts';
import type { Wallet } from '../store.ts';
import { cardLabel } from '../views.ts';

interface Facts {
  language: Language;
  timeZone: string;
  publicUrl: string;
}

const PAYMENTS: [Label, string] = ['mail.wallet.payments', '/dashboard/payments'];
const SETTINGS: [Label, string] = ['mail.wallet.settings', '/dashboard/settings'];

const words = (payment: PaymentRow, { language, timeZone }: Facts) => ({
  amount: decimalFromMicros(payment.amountMicros),
  charged: `${payment.currency} ${decimalFromMicros(payment.chargeMinor * MICROS_PER_CENT)}`,
  card: cardLabel(payment),
  time: localTime(payment.createdAt, timeZone),
  number: payment.id,
  reason: paymentReasonText(language, payment.reason),
});

export const receiptLetter = (facts: Facts, payment: PaymentRow, wallet: Wallet): MailContent =>
  writeLetter(facts, {
    subject: 'mail.receipt.subject',
    paragraphs: [
      payment.type === 'AUTO_TOP_UP' ? 'mail.receipt.automatic' : 'mail.receipt.body',
      'mail.receipt.charged',
      'mail.receipt.balance',
    ],
    buttons: [PAYMENTS],
    notes: ['mail.receipt.number', 'mail.wallet.why'],
    values: { ...words(payment, facts), balance: decimalFromMicros(wallet.balanceMicros) },
  });

export const lowBalanceLetter = (facts: Facts, wallet: Wallet): MailContent =>
  writeLetter(facts, {
    subject: 'mail.lowBalance.subject',
    paragraphs: ['mail.lowBalance.body'],
    buttons: [PAYMENTS],
    notes: ['mail.wallet.why'],
    values: {
      balance: decimalFromMicros(wallet.balanceMicros),
      threshold: decimalFromMicros(wallet.autoChargeThresholdMicros),
    },
  });

export const autoDeclinedLetter = (facts: Facts, payment: PaymentRow): MailContent =>
  writeLetter(facts, {
    subject: 'mail.autoDeclined.subject',
    paragraphs: ['mail.autoDeclined.body'],
    buttons: [PAYMENTS],
    notes: ['mail.autoDeclined.again', 'mail.wallet.why'],
    values: words(payment, facts),
  });

export const autoStoppedLetter = (facts: Facts, payment: PaymentRow): MailContent =>
  writeLetter(facts, {
    subject: 'mail.autoStopped.subject',
    paragraphs: ['mail.autoStopped.body', 'mail.autoStopped.mend'],
    buttons: [SETTINGS],
    notes: ['mail.wallet.why'],
    values: words(payment, facts),
  });

export const dailyCapLetter = (facts: Facts, wallet: Wallet): MailContent =>
  writeLetter(facts, {
    subject: 'mail.dailyCap.subject',
    paragraphs: ['mail.dailyCap.body'],
    buttons: [SETTINGS],
    notes: ['mail.wallet.why'],
    values: {
      cap: decimalFromMicros(dailyCapMicros(wallet)),
      balance: decimalFromMicros(wallet.balanceMicros),
    },
  });

/** 80 % of what an account may spend, or of the countries it may write to for the first time, in a day. */
export const limitLetter = (
  facts: Facts,
  { kind, limit }: { kind: 'day-limit' | 'new-countries'; limit: string },
): MailContent =>
  writeLetter(facts, {
    subject: `mail.limit.${kind}.subject`,
    paragraphs: [`mail.limit.${kind}.body`, 'mail.limit.what'],
    buttons: [['mail.wallet.messages', '/dashboard/messages']],
    notes: ['mail.wallet.why'],
    values: { limit },
  });
