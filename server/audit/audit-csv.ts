import { Readable } from 'node:stream';
import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import { readEmails } from '../accounts/index.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import { localTime } from '../local-time/index.ts';
import type { Db } from '../postgres/index.ts';
import { text } from '../translations/index.ts';
import { type EntrySearch, type FoundEntry, searchEntries } from './store.ts';

const PAGE = 200;
const COLUMNS = [
  'id',
  'time',
  'who',
  'call',
  'outcome',
  'account',
  'subject',
  'asked',
  'before',
  'after',
  'address',
  'hash',
] as const;

/** The emails of all that entries name. */
export const namesIn = (db: Db, entries: FoundEntry[]): Promise<Map<AccountId, string>> =>
  readEmails(db, [...new Set(entries.flatMap(({ adminId, accountId }) => [adminId, accountId ?? adminId]))]);

const json = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));

async function* pagesOf(
  db: Db,
  search: Omit<EntrySearch, 'before' | 'limit'>,
  language: Language,
): AsyncGenerator<string> {
  yield CSV_START + csvLine(COLUMNS.map((column) => text(language, `audit.csv.${column}`)));
  let before: string | undefined;
  let page: FoundEntry[];
  do {
    page = await searchEntries(db, { ...search, before, limit: PAGE });
    const names = await namesIn(db, page);
    yield page
      .map(
        ({ id, at, adminId, call, outcome, accountId, subject, asked, before: was, after, address, hash }) =>
          csvLine([
            id,
            localTime(at, search.timeZone),
            names.get(adminId) ?? adminId,
            call,
            outcome,
            accountId ? (names.get(accountId) ?? accountId) : '',
            subject,
            json(asked),
            json(was),
            json(after),
            address,
            hash,
          ]),
      )
      .join('');
    before = page.at(-1)?.id;
  } while (page.length === PAGE);
}

/** Every entry that matches, newest first; memory does not grow with it. */
export const auditCsv = (...asked: Parameters<typeof pagesOf>): Readable => Readable.from(pagesOf(...asked));
