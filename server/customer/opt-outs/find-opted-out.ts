import type { Db } from '../../ground/postgres/index.ts';
import { type Addressee, accountsHaving, findPlaces } from './store.ts';

const NOBODY: ReadonlySet<number> = new Set();

/**
 * The indexes of the recipients who have opted out, in one query for all. Most accounts have no opt-outs: they cost one
 * index look-up, however many recipients they have.
 */
export const findOptedOut = async (db: Db, addressees: Addressee[]): Promise<ReadonlySet<number>> => {
  if (addressees.length === 0) return NOBODY;
  const asking = accountsHaving([...new Set(addressees.map(({ accountId }) => accountId))]);
  const accounts = new Set((await asking.execute(db)).rows.map(({ id }) => id));
  if (accounts.size === 0) return NOBODY;
  const asked = addressees
    .map((addressee, place) => ({ addressee, place }))
    .filter(({ addressee }) => accounts.has(addressee.accountId));
  const found = await findPlaces(
    db,
    asked.map(({ addressee }) => addressee),
  );
  return new Set([...found].map((at) => asked[at]?.place ?? -1));
};
