import { Readable } from 'node:stream';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { csvTable } from '../../../contract/ground/csv.ts';
import { SERVER } from '../../../contract/office/audit.ts';
import { readEmails } from '../../customer/accounts/index.ts';
import { localTime } from '../../ground/local-time/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type LabelAfter, text } from '../../ground/translations/index.ts';
import { type EntrySearch, type FoundEntry, searchEntries } from './store.ts';

const PAGE = 200;
/** The emails of all that entries name; a command on the server has none. */
export const accountEmails = async (
  db: Db,
  entries: FoundEntry[],
  language: Language,
): Promise<Map<AccountId, string>> => {
  const ids = new Set(entries.flatMap(({ adminId, accountId }) => [adminId, accountId ?? adminId]));
  return (await readEmails(db, [...ids])).set(SERVER, text(language, 'audit.server'));
};

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

async function* pagesOf(
  db: Db,
  search: Omit<EntrySearch, 'before' | 'limit'>,
  language: Language,
): AsyncGenerator<string> {
  let names = new Map<AccountId, string>();
  const title = (name: LabelAfter<'audit.csv.'>) => text(language, `audit.csv.${name}`);
  const { head, line } = csvTable<FoundEntry>([
    { title: title('id'), type: 'number', value: ({ id }) => id },
    { title: title('time'), type: 'time', value: ({ at }) => localTime(at, search.timeZone) },
    { title: title('who'), type: 'text', value: ({ adminId }) => names.get(adminId) ?? adminId },
    { title: title('call'), type: 'text', value: ({ call }) => call },
    { title: title('outcome'), type: 'text', value: ({ outcome }) => outcome },
    {
      title: title('account'),
      type: 'text',
      value: ({ accountId }) => accountId && (names.get(accountId) ?? accountId),
    },
    { title: title('subject'), type: 'text', value: ({ subject }) => subject },
    { title: title('asked'), type: 'text', value: ({ asked }) => json(asked) },
    { title: title('before'), type: 'text', value: ({ before }) => json(before) },
    { title: title('after'), type: 'text', value: ({ after }) => json(after) },
    { title: title('address'), type: 'text', value: ({ address }) => address },
    { title: title('hash'), type: 'text', value: ({ hash }) => hash },
  ]);
  yield head;
  let before: string | undefined;
  let page: FoundEntry[];
  do {
    page = await searchEntries(db, { ...search, before, limit: PAGE });
    names = await accountEmails(db, page, language);
    yield page.map(line).join('');
    before = page.at(-1)?.id;
  } while (page.length === PAGE);
}

/** Every entry that matches, newest first; memory does not grow with it. */
export const auditCsv = (...asked: Parameters<typeof pagesOf>): Readable => Readable.from(pagesOf(...asked));
