import { readNames } from '../../../customer/contacts/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { FoundMessage } from '../search/search-store.ts';

type Parties = Pick<FoundMessage, 'accountId' | 'type' | 'recipient' | 'sender'>;

/** The number or address on the other side. */
const partyOf = ({ accountId, type, recipient, sender }: Parties) => ({
  accountId,
  recipient: type === 'incoming' ? (sender ?? '') : recipient,
});

/** What accounts call the other parties of these messages; empty without a name. */
export const readContactNames = async (db: Db, found: Parties[]): Promise<(message: Parties) => string> => {
  const nameOf = await readNames(db, found.map(partyOf));
  return (message) => nameOf(partyOf(message));
};
