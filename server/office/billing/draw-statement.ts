import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Language, PRODUCT_NAME } from '../../../contract/ground/constants.ts';
import { decimalFromMicros, microsFromNumber } from '../../../contract/ground/money.ts';
import type { BillingItem } from '../../../contract/office/billing.ts';
import type { BillingContact } from '../../customer/wallet/index.ts';
import { BLUE, BOTTOM, GREY, makePdf, RIGHT, type Sheet, TOP } from '../../ground/pdf/index.ts';
import { type LabelAfter, text } from '../../ground/translations/index.ts';
import { serveJobs } from '../../ground/worker-threads/index.ts';
import type { Statement } from './read-bill.ts';
import { itemsOf } from './views.ts';

const TAGS: Record<Language, string> = { en_US: 'en-US', zh_HK: 'zh-Hant-HK' };
const [UNIT_RIGHT, UNITS_RIGHT] = [360, 430] as const;
const LINE = 22;

/** All that a statement shows. */
export interface StatementFacts {
  language: Language;
  accountId: AccountId;
  /** YYYY-MM. */
  month: string;
  firstDay: string;
  lastDay: string;
  contact: BillingContact;
  statement: Statement;
}

const exact = (amount: number): string => decimalFromMicros(microsFromNumber(amount) ?? 0n);
const dollars = (micros: bigint): string => `USD ${decimalFromMicros(micros)}`;
const monthName = (language: Language, month: string): string =>
  new Intl.DateTimeFormat(TAGS[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** The position of the next line; continues at the top of another page if one is full. */
const openLines = (sheet: Sheet, from: number) => {
  let y = from;
  return (height = LINE): number => {
    if (y + height > BOTTOM) {
      sheet.addPage();
      y = TOP;
    }
    y += height;
    return y;
  };
};
type NextLine = ReturnType<typeof openLines>;

const drawItem = ({ write }: Sheet, y: number, language: Language, item: BillingItem): void => {
  const size = 10;
  write(item.displayName, { y, size, right: 240 });
  if (item.kind === 'usage') {
    const price = text(language, 'billing.perUnit', { price: exact(item.unitPrice), unit: item.unit });
    write(price, { x: 200, right: UNIT_RIGHT, y, size, align: 'right', colour: GREY });
  }
  write(new Intl.NumberFormat('en-US').format(item.units), {
    x: UNIT_RIGHT,
    right: UNITS_RIGHT,
    y,
    size,
    align: 'right',
  });
  write(exact(item.total), { x: UNITS_RIGHT, y, size, align: 'right' });
};

const drawUsage = (sheet: Sheet, next: NextLine, { language, statement }: StatementFacts): void => {
  const { write, rule } = sheet;
  for (const bill of statement.channels) {
    const items = itemsOf(language, bill);
    if (items.length === 0) continue;
    const y = next(34);
    write(text(language, `billing.channelName.${bill.channel}`), { y, size: 12, weight: 'bold' });
    write(dollars(bill.totalMicros), { x: UNITS_RIGHT - 80, y, size: 11, weight: 'bold', align: 'right' });
    rule(y + 7);
    for (const item of items) drawItem(sheet, next(), language, item);
  }
  if (statement.channels.every(({ usage, refunded }) => usage.length === 0 && !refunded))
    write(text(language, 'billing.statement.nothing'), { y: next(34), size: 10.5, colour: GREY });
};

const drawBalance = (
  { write, rule }: Sheet,
  next: NextLine,
  { language, statement }: StatementFacts,
): void => {
  const line = (label: string, micros: bigint, weight: 'plain' | 'bold' = 'plain') => {
    const y = next();
    write(label, { y, size: 10.5, weight });
    write(dollars(micros), { x: UNITS_RIGHT - 80, y, size: 10.5, weight, align: 'right' });
  };
  const y = next(40);
  write(text(language, 'billing.statement.balance'), { y, size: 12, weight: 'bold' });
  rule(y + 7);
  line(text(language, 'billing.statement.opening'), statement.openingMicros);
  for (const { kind, amountMicros } of statement.movements)
    line(text(language, `billing.movement.${kind as LabelAfter<'billing.movement.'>}`), amountMicros);
  line(text(language, 'billing.statement.usage'), -statement.totalMicros);
  line(text(language, 'billing.statement.closing'), statement.closingMicros, 'bold');
};

const draw = (sheet: Sheet, facts: StatementFacts): void => {
  const { language, accountId, month, firstDay, lastDay, contact, statement } = facts;
  const { write } = sheet;
  write(PRODUCT_NAME, { y: TOP + 16, size: 20, colour: BLUE, weight: 'bold' });
  write(text(language, 'billing.statement.title'), { y: TOP + 66, size: 26, weight: 'bold' });
  write(monthName(language, month), { y: TOP + 94, size: 14, colour: GREY });
  write(dollars(statement.totalMicros), { y: TOP + 94, size: 20, weight: 'bold', align: 'right', x: 300 });
  const label = (name: LabelAfter<'billing.statement.'>) => text(language, `billing.statement.${name}`);
  for (const [at, [name, value]] of [
    [label('account'), contact.email],
    [label('accountId'), accountId],
    [label('period'), `${firstDay} – ${lastDay} (${contact.timeZone})`],
  ].entries()) {
    write(name ?? '', { y: TOP + 126 + at * 17, size: 10, colour: GREY });
    write(value ?? '', { x: 170, y: TOP + 126 + at * 17, size: 10, right: RIGHT });
  }
  const next = openLines(sheet, TOP + 166);
  drawUsage(sheet, next, facts);
  drawBalance(sheet, next, facts);
  write(label('note'), { y: next(36), size: 9.5, colour: GREY });
};

serveJobs((facts: StatementFacts): Promise<Uint8Array> => {
  const { language, month } = facts;
  const title = `${text(language, 'billing.statement.title')} ${month}`;
  return makePdf({ language, title, createdAt: new Date() }, (sheet) => draw(sheet, facts));
});
