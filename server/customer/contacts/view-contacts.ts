import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Contact, ContactId } from '../../../contract/customer/contacts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { findOptedOut } from '../opt-outs/index.ts';
import { channelsOf } from './contact-text.ts';
import type { ContactRow } from './store.ts';

/** With the channels that each contact has opted out of. */
export const viewContacts = async (
  db: Db,
  accountId: AccountId,
  contacts: ContactRow[],
): Promise<Contact[]> => {
  const addressees = contacts.flatMap(({ id, recipient }) =>
    channelsOf(recipient).map((channel) => ({ id, accountId, channel, recipient })),
  );
  const places = await findOptedOut(db, addressees);
  const out = addressees.filter((_, place) => places.has(place));
  return contacts.map(({ id, recipient, channel, name, notes, lastMessageAt }) => ({
    _id: String(id) as ContactId,
    phone: recipient,
    channel,
    name,
    notes,
    lastMessageAt: lastMessageAt?.toISOString() ?? null,
    optedOut: out.filter((one) => one.id === id).map((one) => one.channel),
  }));
};
