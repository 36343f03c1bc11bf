import { Readable } from 'node:stream';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Contact } from '../../../contract/customer/contacts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { csvTable } from '../../../contract/ground/csv.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type LabelAfter, text } from '../../ground/translations/index.ts';
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
  const title = (name: LabelAfter<'contact.csv.'>) => text(language, `contact.csv.${name}`);
  // An import recognises its columns by the first three, in any language.
  const { head, line } = csvTable<Contact>([
    { title: title('name'), type: 'text', value: ({ name }) => name },
    { title: title('phone'), type: 'phone', value: ({ phone }) => phone },
    { title: title('notes'), type: 'text', value: ({ notes }) => notes },
    { title: title('last_message'), type: 'time', value: ({ lastMessageAt }) => lastMessageAt },
    { title: title('opted_out'), type: 'text', value: ({ optedOut }) => optedOut.join(' ') },
  ]);
  yield head;
  const wanted = { accountId, keyword: keywordOf(keyword), limit: PAGE };
  for (let after: string | undefined; ; ) {
    const page = await viewContacts(db, accountId, await listContactsAfter(db, { ...wanted, after }));
    yield page.map(line).join('');
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.phone;
  }
}

/** All contacts, or those that the keyword finds; the file can be imported again. */
export const exportContacts = ({ db }: { db: Db }, wanted: Export): Readable =>
  Readable.from(lines(db, wanted));
