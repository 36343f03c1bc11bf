import { Readable } from 'node:stream';
import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import type { PaymentId } from '../../contract/wallet.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import type { Db } from '../postgres/index.ts';
import { listCardsEver } from './card-store.ts';
import { listPayments } from './payment-store.ts';
import { paymentView } from './views.ts';

const PAGE = 500;
const TITLES = [
  'id',
  'created_at',
  'type',
  'status',
  'currency',
  'amount',
  'amount_usd',
  'description',
  'reason',
];

async function* lines(
  db: Db,
  { accountId, language }: { accountId: AccountId; language: Language },
): AsyncGenerator<string> {
  yield CSV_START + csvLine(TITLES);
  for (let before: PaymentId | undefined; ; ) {
    const page = await listPayments(db, { accountId, before, limit: PAGE });
    yield page
      .map((row) => paymentView(language, row))
      .map((payment) =>
        csvLine([
          payment._id,
          payment.createdAt,
          payment.type,
          payment.status,
          payment.currency,
          String(payment.amount),
          String(payment.amountUsd),
          payment.description,
          payment.reason,
        ]),
      )
      .join('');
    before = page.at(-1)?.id;
    if (!before || page.length < PAGE) return;
  }
}

/** Every payment, newest first, page by page. */
export const paymentsCsv = (db: Db, wanted: { accountId: AccountId; language: Language }): Readable =>
  Readable.from(lines(db, wanted));

/** What is stored of cards, removed ones too; the provider's references are left out. */
export const listCardFacts = async (db: Db, accountId: AccountId) =>
  (await listCardsEver(db, accountId)).map(({ createdAt, removedAt, ...facts }) => ({
    ...facts,
    createdAt: createdAt.toISOString(),
    removedAt: removedAt?.toISOString() ?? null,
  }));
