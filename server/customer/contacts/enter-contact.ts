import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { countryOf, readRecipient } from '../../ground/recipients/index.ts';
import { cleanName, cleanNotes } from './contact-text.ts';
import { type ContactRow, type Entry, writeEntries } from './store.ts';

interface Typed {
  phone: string;
  name?: string | undefined;
  notes?: string | undefined;
}

/** Checks what was typed: a number of the country given, or an address. */
export const readEntry = (
  { phone, name = '', notes = '' }: Typed,
  { accountId, country }: { accountId: AccountId; country: ReturnType<typeof countryOf> },
): Entry => ({
  accountId,
  recipient: readRecipient(phone.includes('@') ? 'email' : 'sms', phone, country).recipient,
  name: cleanName(name),
  notes: cleanNotes(notes),
});

interface Entering extends Typed {
  accountId: AccountId;
  countryCode?: string | undefined;
}

export const enterContact = async (
  { db }: { db: Db },
  { accountId, countryCode, ...typed }: Entering,
): Promise<ContactRow> => {
  const [kept] = await writeEntries(db, [readEntry(typed, { accountId, country: countryOf(countryCode) })]);
  if (!kept) throw new DomainError('E_INTERNAL');
  return kept;
};
