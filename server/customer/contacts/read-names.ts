import type { Db } from '../../ground/postgres/index.ts';
import { listNames, type Meeting } from './store.ts';

type Person = Pick<Meeting, 'accountId' | 'recipient'>;

const keyOf = ({ accountId, recipient }: Person): string => `${accountId} ${recipient}`;

/** What accounts call these people; empty without a name. */
export const readNames = async (db: Db, people: Person[]): Promise<(person: Person) => string> => {
  const names = new Map((await listNames(db, people)).map((one) => [keyOf(one), one.name]));
  return (person) => names.get(keyOf(person)) ?? '';
};
