import { Readable } from 'node:stream';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { csvTable } from '../../../../contract/ground/csv.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { listCardsEver } from '../cards/card-store.ts';
import { paymentView } from '../views.ts';
import { listPayments } from './payment-store.ts';

const PAGE = 500;
const { head, line } = csvTable<ReturnType<typeof paymentView>>([
  { title: 'id', type: 'text', value: ({ _id }) => _id },
  { title: 'created_at', type: 'time', value: ({ createdAt }) => createdAt },
  { title: 'type', type: 'text', value: ({ type }) => type },
  { title: 'status', type: 'text', value: ({ status }) => status },
  { title: 'currency', type: 'text', value: ({ currency }) => currency },
  { title: 'amount', type: 'amount', value: ({ amount }) => String(amount) },
  { title: 'amount_usd', type: 'amount', value: ({ amountUsd }) => String(amountUsd) },
  { title: 'description', type: 'text', value: ({ description }) => description },
  { title: 'reason', type: 'text', value: ({ reason }) => reason },
]);

async function* lines(
  db: Db,
  { accountId, language }: { accountId: AccountId; language: Language },
): AsyncGenerator<string> {
  yield head;
  for (let before: PaymentId | undefined; ; ) {
    const page = await listPayments(db, { accountId, before, limit: PAGE });
    yield page.map((row) => line(paymentView(language, row))).join('');
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
