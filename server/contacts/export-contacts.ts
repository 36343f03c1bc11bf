import { Readable } from 'node:stream';
import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import type { Db } from '../postgres/index.ts';
import { text } from '../translations/index.ts';
import { keywordOf } from './contact-text.ts';
import { listContactsAfter } from './store.ts';
import { viewContacts } from './view-contacts.ts';

const PAGE = 1_000;

interface Export {
  accountId: AccountId;
  keyword?: string | undefined;
  language: Language;
}

async function* lines(db: Db, { accountId, keyword, language }: Export): AsyncGenerator<string> {
  const titles = ['phone', 'name', 'notes', 'last_message', 'opted_out'];
  // An import recognises its columns by the first three, in any language.
  yield CSV_START + csvLine(titles.map((title) => text(language, `contact.csv.${title}`)));
  const wanted = { accountId, keyword: keywordOf(keyword), limit: PAGE };
  for (let after: string | undefined; ; ) {
    const page = await viewContacts(db, accountId, await listContactsAfter(db, { ...wanted, after }));
    yield page
      .map(({ phone, name, notes, lastMessageAt, optedOut }) =>
        csvLine([phone, name, notes, lastMessageAt ?? '', optedOut.join(' ')]),
      )
      .join('');
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.phone;
  }
}

/** All contacts, or those that the keyword finds; the file can be imported again. */
export const exportContacts = ({ db }: { db: Db }, wanted: Export): Readable =>
  Readable.from(lines(db, wanted));
