import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { AccountId } from '../../contract/accounts.ts';
import { type Language, PRODUCT_NAME } from '../../contract/constants.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../contract/money.ts';
import type { PaymentId } from '../../contract/wallet.ts';
import { DomainError } from '../domain-error.ts';
import { localTime } from '../local-time.ts';
import { text } from '../translations/index.ts';
import type { PaymentRow } from './payment-store.ts';
import { readOwnPayment } from './refresh-payment.ts';
import { cardName } from './views.ts';
import type { Contact, WalletDeps } from './wallet-deps.ts';

const [LEFT, RIGHT, TOP] = [64, 531, 72] as const;
const VALUES = 220;
const BLUE = '#1864ab';
const INK = '#212529';
const GREY = '#5c636a';
const RULE = '#dee2e6';

/** Read once, when the first receipt asks for it: 12 MB. Only the signs in use are put into a receipt. */
let chinese: Buffer | undefined;
const chineseFont = (): Buffer => {
  chinese ??= readFileSync(
    fileURLToPath(
      import.meta.resolve(
        '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
      ),
    ),
  );
  return chinese;
};

const CHINESE = 'chinese';
const opened = new WeakSet<PDFKit.PDFDocument>();

/** What the fonts that every PDF reader has can show. */
const isLatin = (words: string): boolean => /^[\x20-\x7e\u00a0-\u00ff\u2022]*$/.test(words);

/** Opened once per receipt, and only where it is needed. */
const chineseName = (doc: PDFKit.PDFDocument): string => {
  if (!opened.has(doc)) {
    doc.registerFont(CHINESE, chineseFont());
    opened.add(doc);
  }
  return CHINESE;
};

type Weight = 'plain' | 'bold';
interface Style {
  x?: number;
  /** Of the baseline. */
  y: number;
  size: number;
  colour?: string;
  weight?: Weight;
}
const LATIN: Record<Weight, string> = { plain: 'Helvetica', bold: 'Helvetica-Bold' };

const rowsOf = (
  language: Language,
  payment: PaymentRow,
  { email, timeZone }: Contact,
): [string, string][] => {
  const label = (name: string) => text(language, `wallet.receipt.${name}`);
  const charged = `${payment.currency} ${decimalFromMicros(payment.chargeMinor * MICROS_PER_CENT)}`;
  return [
    [label('number'), payment.id],
    [label('date'), `${localTime(payment.createdAt, timeZone)} (${timeZone})`],
    [label('account'), email],
    [label('for'), text(language, `wallet.payment.${payment.type}`, { card: cardName(payment) })],
    [label('credited'), `USD ${decimalFromMicros(payment.amountMicros)}`],
    [label('charged'), charged],
  ];
};

const draw = (doc: PDFKit.PDFDocument, language: Language, payment: PaymentRow, contact: Contact): void => {
  const write = (words: string, { x = LEFT, y, size, colour = INK, weight = 'plain' }: Style) => {
    const latin = isLatin(words);
    doc
      .font(latin ? LATIN[weight] : chineseName(doc))
      .fontSize(size)
      .fillColor(colour);
    // The Chinese font has one weight: a thin outline makes it bold.
    const outline = !latin && weight === 'bold';
    if (outline) doc.lineWidth(size / 40).strokeColor(colour);
    // By the baseline, so that words in both fonts stand on one line.
    doc.text(words, x, y, { width: RIGHT - x, baseline: 'alphabetic', fill: true, stroke: outline });
  };
  const rule = (y: number) => doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(RULE).stroke();

  doc.rect(0, 0, doc.page.width, 10).fill(BLUE);
  write(PRODUCT_NAME, { y: TOP + 16, size: 20, colour: BLUE, weight: 'bold' });
  write(text(language, 'wallet.receipt.title'), { y: TOP + 66, size: 26, weight: 'bold' });
  write(`USD ${decimalFromMicros(payment.amountMicros)}`, { y: TOP + 106, size: 20, weight: 'bold' });
  write(text(language, 'wallet.receipt.paid'), { y: TOP + 128, size: 11, colour: GREY });
  let y = TOP + 160;
  for (const [name, value] of rowsOf(language, payment, contact)) {
    rule(y);
    write(name, { y: y + 21, size: 10.5, colour: GREY });
    write(value, { x: VALUES, y: y + 21, size: 10.5 });
    // A long value takes more lines.
    y += 34 + doc.heightOfString(value, { width: RIGHT - VALUES }) - doc.currentLineHeight(true);
  }
  rule(y);
  write(text(language, 'wallet.receipt.note'), { y: y + 32, size: 9.5, colour: GREY });
};

const render = (language: Language, payment: PaymentRow, contact: Contact): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const title = `${text(language, 'wallet.receipt.title')} ${payment.id}`;
    const doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: language.replace('_', '-'),
      info: { Title: title, Author: PRODUCT_NAME, CreationDate: payment.createdAt },
    });
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
    draw(doc, language, payment, contact);
    doc.end();
  });

/** A receipt for a top-up that was paid; nothing else has one. */
export const receiptPdf = async (
  deps: Pick<WalletDeps, 'db' | 'contactOf'>,
  { accountId, paymentId, language }: { accountId: AccountId; paymentId: PaymentId; language: Language },
): Promise<Buffer> => {
  const payment = await readOwnPayment(deps, accountId, paymentId);
  const isTopUp = payment.type === 'TOP_UP' || payment.type === 'AUTO_TOP_UP';
  if (!isTopUp || payment.status !== 'SUCCESS') throw new DomainError('E_RECEIPT_UNAVAILABLE');
  const contact = await deps.contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return render(language, payment, contact);
};
