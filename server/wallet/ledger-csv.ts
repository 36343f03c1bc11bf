import { Readable } from 'node:stream';
import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import { decimalFromMicros } from '../../contract/money.ts';
import type { EntryId, LedgerFilter } from '../../contract/wallet.ts';
import { DomainError } from '../domain-error.ts';
import { localTime } from '../local-time/index.ts';
import { text } from '../translations/index.ts';
import { type EntryRow, listEntries } from './ledger-store.ts';
import { describeEntry } from './views.ts';
import type { WalletDeps } from './wallet-deps.ts';

/** Without it, spreadsheets assume an old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
const PAGE = 1_000;

/**
 * A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text. A plain number needs none.
 */
const cell = (content: string): string => {
  const risky = /^[=+\-@\t\r]/.test(content) && !/^-?\d+(\.\d+)?$/.test(content);
  const safe = risky ? `'${content}` : content;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const line = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;

interface Export extends LedgerFilter {
  accountId: AccountId;
  language: Language;
}

async function* pagesOf(
  { db }: Pick<WalletDeps, 'db'>,
  { language, ...filter }: Export,
  timeZone: string,
): AsyncGenerator<string[]> {
  const columns = ['time', 'kind', 'description', 'amount', 'balance', 'id'];
  yield [BYTE_ORDER_MARK + line(columns.map((column) => text(language, `wallet.csv.${column}`)))];
  let before: EntryId | undefined;
  let page: EntryRow[];
  do {
    page = await listEntries(db, { ...filter, timeZone, before, limit: PAGE });
    if (page.length > 0)
      yield page.map((entry) =>
        line([
          localTime(entry.createdAt, timeZone),
          entry.kind,
          describeEntry(language, entry),
          decimalFromMicros(entry.availableMicros),
          decimalFromMicros(entry.balanceMicros),
          String(entry.id),
        ]),
      );
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
