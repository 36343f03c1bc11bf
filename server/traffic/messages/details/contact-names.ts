import { listNames } from '../../../customer/contacts/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { FoundMessage } from '../search/search-store.ts';

type Parties = Pick<FoundMessage, 'accountId' | 'type' | 'recipient' | 'sender'>;

/** The number or address on the other side. */
const partyOf = ({ type, recipient, sender }: Parties): string =>
  type === 'incoming' ? (sender ?? '') : recipient;

const keyOf = (accountId: string, party: string): string => `${accountId} ${party}`;

/** What accounts call the other parties of these messages; empty without a name. */
export const readContactNames = async (db: Db, found: Parties[]): Promise<(message: Parties) => string> => {
  const people = found.map((one) => ({ accountId: one.accountId, recipient: partyOf(one) }));
  const names = new Map(
    (await listNames(db, people)).map(({ accountId, recipient, name }) => [
      keyOf(accountId, recipient),
      name,
    ]),
  );
  return (message) => names.get(keyOf(message.accountId, partyOf(message))) ?? '';
};
