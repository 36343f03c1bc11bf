import { type Language, PRODUCT_NAME } from '../../../../contract/ground/constants.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import { localTime } from '../../../ground/local-time/index.ts';
import { BLUE, GREY, makePdf, RIGHT, type Sheet, TOP } from '../../../ground/pdf/index.ts';
import { type LabelAfter, text } from '../../../ground/translations/index.ts';
import { serveJobs } from '../../../ground/worker-threads/index.ts';
import { cardLabel } from '../views.ts';
import type { BillingContact } from '../wallet-deps.ts';
import type { PaymentRow } from './payment-store.ts';

const VALUES = 220;

const rowsOf = (
  language: Language,
  payment: PaymentRow,
  { email, timeZone }: BillingContact,
): [string, string][] => {
  const label = (name: LabelAfter<'wallet.receipt.'>) => text(language, `wallet.receipt.${name}`);
  const charged = `${payment.currency} ${decimalFromMicros(payment.chargeMinor * MICROS_PER_CENT)}`;
  return [
    [label('number'), payment.id],
    [label('date'), `${localTime(payment.createdAt, timeZone)} (${timeZone})`],
    [label('account'), email],
    [label('for'), text(language, `wallet.payment.${payment.type}`, { card: cardLabel(payment) })],
    [label('credited'), `USD ${decimalFromMicros(payment.amountMicros)}`],
    [label('charged'), charged],
  ];
};

/** All that a receipt shows. */
export interface ReceiptFacts {
  language: Language;
  payment: PaymentRow;
  contact: BillingContact;
}

const draw = ({ write, rule, extraHeight }: Sheet, { language, payment, contact }: ReceiptFacts): void => {
  write(PRODUCT_NAME, { y: TOP + 16, size: 20, colour: BLUE, weight: 'bold' });
  write(text(language, 'wallet.receipt.title'), { y: TOP + 66, size: 26, weight: 'bold' });
  write(`USD ${decimalFromMicros(payment.amountMicros)}`, { y: TOP + 106, size: 20, weight: 'bold' });
  write(text(language, 'wallet.receipt.paid'), { y: TOP + 128, size: 11, colour: GREY });
  let y = TOP + 160;
  for (const [name, value] of rowsOf(language, payment, contact)) {
    rule(y);
    write(name, { y: y + 21, size: 10.5, colour: GREY });
    write(value, { x: VALUES, y: y + 21, size: 10.5 });
    // A long value takes several lines.
    y += 34 + extraHeight(value, RIGHT - VALUES);
  }
  rule(y);
  write(text(language, 'wallet.receipt.note'), { y: y + 32, size: 9.5, colour: GREY });
};

serveJobs((facts: ReceiptFacts): Promise<Uint8Array> => {
  const { language, payment } = facts;
  const title = `${text(language, 'wallet.receipt.title')} ${payment.id}`;
  return makePdf({ language, title, createdAt: payment.createdAt }, (sheet) => draw(sheet, facts));
});
