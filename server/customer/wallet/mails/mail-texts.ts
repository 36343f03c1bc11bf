import type { Language } from '../../../../contract/ground/constants.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import { localTime } from '../../../ground/local-time/index.ts';
import type { Letter } from '../../../ground/mail/index.ts';
import { type Label, text } from '../../../ground/translations/index.ts';
import { dailyCapMicros } from '../auto-top-up/daily-cap.ts';
import { paymentReasonText } from '../auto-top-up/reasons.ts';
import type { PaymentRow } from '../payments/payment-store.ts';
import type { Wallet } from '../store.ts';
import { cardName } from '../views.ts';

interface Facts {
  language: Language;
  timeZone: string;
  publicUrl: string;
}

const page = ({ publicUrl, language }: Facts, path: string, label: Label): Letter['buttons'] => [
  { label: text(language, label), url: `${publicUrl.replace(/\/$/, '')}${path}` },
];
const paymentsPage = (facts: Facts) => page(facts, '/dashboard/payments', 'mail.wallet.payments');
const settingsPage = (facts: Facts) => page(facts, '/dashboard/settings', 'mail.wallet.settings');

const words = (payment: PaymentRow, { language, timeZone }: Facts) => ({
  amount: decimalFromMicros(payment.amountMicros),
  charged: `${payment.currency} ${decimalFromMicros(payment.chargeMinor * MICROS_PER_CENT)}`,
  card: cardName(payment),
  time: localTime(payment.createdAt, timeZone),
  number: payment.id,
  reason: paymentReasonText(language, payment.reason),
});

export const receiptLetter = (facts: Facts, payment: PaymentRow, wallet: Wallet): Letter => {
  const params = words(payment, facts);
  return {
    language: facts.language,
    subject: text(facts.language, 'mail.receipt.subject', params),
    paragraphs: [
      text(
        facts.language,
        payment.type === 'AUTO_TOP_UP' ? 'mail.receipt.automatic' : 'mail.receipt.body',
        params,
      ),
      text(facts.language, 'mail.receipt.charged', params),
      text(facts.language, 'mail.receipt.balance', { balance: decimalFromMicros(wallet.balanceMicros) }),
    ],
    buttons: paymentsPage(facts),
    notes: [text(facts.language, 'mail.receipt.number', params), text(facts.language, 'mail.wallet.why')],
  };
};

export const lowBalanceLetter = (facts: Facts, wallet: Wallet): Letter => ({
  language: facts.language,
  subject: text(facts.language, 'mail.lowBalance.subject'),
  paragraphs: [
    text(facts.language, 'mail.lowBalance.body', {
      balance: decimalFromMicros(wallet.balanceMicros),
      threshold: decimalFromMicros(wallet.autoChargeThresholdMicros),
    }),
  ],
  buttons: paymentsPage(facts),
  notes: [text(facts.language, 'mail.wallet.why')],
});

export const autoDeclinedLetter = (facts: Facts, payment: PaymentRow): Letter => ({
  language: facts.language,
  subject: text(facts.language, 'mail.autoDeclined.subject'),
  paragraphs: [text(facts.language, 'mail.autoDeclined.body', words(payment, facts))],
  buttons: paymentsPage(facts),
  notes: [text(facts.language, 'mail.autoDeclined.again'), text(facts.language, 'mail.wallet.why')],
});

export const autoStoppedLetter = (facts: Facts, payment: PaymentRow): Letter => ({
  language: facts.language,
  subject: text(facts.language, 'mail.autoStopped.subject'),
  paragraphs: [
    text(facts.language, 'mail.autoStopped.body', words(payment, facts)),
    text(facts.language, 'mail.autoStopped.mend'),
  ],
  buttons: settingsPage(facts),
  notes: [text(facts.language, 'mail.wallet.why')],
});

export const dailyCapLetter = (facts: Facts, wallet: Wallet): Letter => ({
  language: facts.language,
  subject: text(facts.language, 'mail.dailyCap.subject'),
  paragraphs: [
    text(facts.language, 'mail.dailyCap.body', {
      cap: decimalFromMicros(dailyCapMicros(wallet)),
      balance: decimalFromMicros(wallet.balanceMicros),
    }),
  ],
  buttons: settingsPage(facts),
  notes: [text(facts.language, 'mail.wallet.why')],
});

/** 80 % of what an account may spend, or of the countries it may write to for the first time, in a day. */
export const limitLetter = (
  facts: Facts,
  { kind, limit }: { kind: 'day-limit' | 'new-countries'; limit: string },
): Letter => ({
  language: facts.language,
  subject: text(facts.language, `mail.limit.${kind}.subject`),
  paragraphs: [
    text(facts.language, `mail.limit.${kind}.body`, { limit }),
    text(facts.language, 'mail.limit.what'),
  ],
  buttons: page(facts, '/dashboard/messages', 'mail.wallet.messages'),
  notes: [text(facts.language, 'mail.wallet.why')],
});
