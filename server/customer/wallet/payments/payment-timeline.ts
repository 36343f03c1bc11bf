import type { Language } from '../../../../contract/ground/constants.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import type { PaymentStep } from '../../../../contract/office/payments.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type LabelAfter, text } from '../../../ground/translations/index.ts';
import { paymentReasonText } from '../auto-top-up/reasons.ts';
import { listEntriesOf } from '../ledger/ledger-store.ts';
import { listMailsOf } from '../mails/payment-mail-store.ts';
import { describeEntry } from '../views.ts';
import { listPaymentEvents } from './event-store.ts';
import type { PaymentRow } from './payment-store.ts';
import { listRefunds } from './refund-request-store.ts';

interface Told {
  at: Date;
  kind: PaymentStep['kind'];
  title: string;
  detail?: string;
}

const inWords =
  (language: Language) =>
  (name: LabelAfter<'payments.step.'>, params = {}) =>
    text(language, `payments.step.${name}`, params);

const ownSteps = (language: Language, payment: PaymentRow): Told[] => {
  const { createdAt, checkedAt, settledAt, status, processor, chargeRef } = payment;
  const told = inWords(language);
  return [
    {
      at: createdAt,
      kind: 'payment',
      title: told('created'),
      detail: `${processor} ${chargeRef ?? ''}`.trim(),
    },
    ...(checkedAt ? [{ at: checkedAt, kind: 'payment' as const, title: told('checked') }] : []),
    ...(settledAt
      ? [
          {
            at: settledAt,
            kind: 'payment' as const,
            title: told(`settled.${status}`),
            detail: paymentReasonText(language, payment.reason),
          },
        ]
      : []),
  ];
};

/** All that is known to have happened to a payment, oldest first. `nameOf` gives the admin who asked for a refund. */
export const paymentTimeline = async (
  db: Db,
  payment: PaymentRow,
  { language, nameOf }: { language: Language; nameOf: (accountId: string) => Promise<string> },
): Promise<PaymentStep[]> => {
  const told = inWords(language);
  const events = (await listPaymentEvents(db, payment)).map(
    ({ eventId, kind, receivedAt, processedAt }): Told => ({
      at: receivedAt,
      kind: 'webhook',
      title: told(`event.${kind}`),
      detail: processedAt ? eventId : `${eventId} – ${told('waits')}`,
    }),
  );
  const entries = (await listEntriesOf(db, payment)).map(
    (entry): Told => ({
      at: entry.createdAt,
      kind: 'ledger',
      title: describeEntry(language, entry),
      detail: told('booked', {
        amount: decimalFromMicros(entry.availableMicros),
        balance: decimalFromMicros(entry.balanceMicros),
      }),
    }),
  );
  const mails = (await listMailsOf(db, payment.id)).map(
    ({ kind, at }): Told => ({ at, kind: 'mail', title: told(`mailed.${kind}`) }),
  );
  const refunds: Told[] = [];
  for (const refund of await listRefunds(db, payment.id)) {
    const amount = `${payment.currency} ${decimalFromMicros(refund.amountMinor * MICROS_PER_CENT)}`;
    refunds.push({
      at: refund.createdAt,
      kind: 'refund',
      title: told('refund.ASKED', { amount, admin: await nameOf(refund.askedBy) }),
      detail: refund.reason,
    });
    if (refund.settledAt && refund.state !== 'ASKED')
      refunds.push({
        at: refund.settledAt,
        kind: 'refund',
        title: told(`refund.${refund.state}`, { amount }),
        detail: refund.answer,
      });
  }
  return [...ownSteps(language, payment), ...events, ...entries, ...mails, ...refunds]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, kind, title, detail = '' }) => ({ at: at.toISOString(), kind, title, detail }));
};
