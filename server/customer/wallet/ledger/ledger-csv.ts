import { Readable } from 'node:stream';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId, LedgerFilter } from '../../../../contract/customer/wallet.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { csvTable } from '../../../../contract/ground/csv.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { localTime } from '../../../ground/local-time/index.ts';
import { type LabelAfter, text } from '../../../ground/translations/index.ts';
import { describeEntry } from '../views.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { type EntryRow, listEntries } from './ledger-store.ts';

const PAGE = 1_000;

interface Export extends LedgerFilter {
  accountId: AccountId;
  language: Language;
}

async function* pagesOf(
  { db }: Pick<WalletDeps, 'db'>,
  { language, ...filter }: Export,
  timeZone: string,
): AsyncGenerator<string[]> {
  const title = (name: LabelAfter<'wallet.csv.'>) => text(language, `wallet.csv.${name}`);
  const { head, line } = csvTable<EntryRow>([
    { title: title('time'), type: 'time', value: ({ createdAt }) => localTime(createdAt, timeZone) },
    { title: title('kind'), type: 'text', value: ({ kind }) => kind },
    { title: title('description'), type: 'text', value: (entry) => describeEntry(language, entry) },
    {
      title: title('amount'),
      type: 'amount',
      value: ({ availableMicros }) => decimalFromMicros(availableMicros),
    },
    {
      title: title('balance'),
      type: 'amount',
      value: ({ balanceMicros }) => decimalFromMicros(balanceMicros),
    },
    { title: title('id'), type: 'text', value: ({ id }) => String(id) },
  ]);
  yield [head];
  let before: EntryId | undefined;
  let page: EntryRow[];
  do {
    page = await listEntries(db, { ...filter, timeZone, before, limit: PAGE });
    if (page.length > 0) yield page.map(line);
    before = String(page.at(-1)?.id ?? '') as EntryId;
  } while (page.length === PAGE);
}

/**
 * Every movement that matches the filter as lines of a CSV file, newest first, page by page; the first piece has the
 * titles.
 */
export const ledgerLines = async (deps: WalletDeps, filter: Export): Promise<AsyncGenerator<string[]>> => {
  const contact = await deps.contactOf(filter.accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return pagesOf(deps, filter, contact.timeZone);
};

async function* joined(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.join('');
}

/** The same as one file: memory does not grow with it. */
export const ledgerCsv = async (deps: WalletDeps, filter: Export): Promise<Readable> =>
  Readable.from(joined(await ledgerLines(deps, filter)));
