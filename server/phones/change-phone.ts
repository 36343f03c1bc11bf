import { isSoftRelease } from '../../contract/phone-rules.ts';
import type { PhoneEdit, PhoneId } from '../../contract/phones.ts';
import { DomainError } from '../domain-error.ts';
import { storePhoneLanes } from '../lanes/index.ts';
import { type Db, newId } from '../postgres/index.ts';
import { storeBalances } from './balance-store.ts';
import type { PhoneDriver } from './phone-driver.ts';
import { phoneLanes } from './phone-lanes.ts';
import { isPlace, readEdit } from './read-edit.ts';
import { findPhoneOfName, insertPhone, lockPhone, updatePhone } from './store.ts';

export interface PhonesDeps {
  db: Db;
  driver: PhoneDriver;
}

const placeOf = (edit: PhoneEdit) => ({ reopen: isPlace(edit) });

/** Changes one field; the phone's lanes follow in the same transaction. */
export const changePhone = ({ db, driver }: PhonesDeps, phoneId: PhoneId, edit: PhoneEdit): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { change, balanceMicros } = readEdit(edit);
    const before = await lockPhone(trx, phoneId);
    if (!before) throw new DomainError('E_NOT_FOUND');
    if (isPlace(edit) && isSoftRelease(before.remark)) throw new DomainError('E_PHONE_SOFT_RELEASE');
    if (change.name && change.name !== before.name && (await findPhoneOfName(trx, change.name)))
      throw new DomainError('E_PHONE_EXISTS', { name: change.name });
    await updatePhone(trx, phoneId, change);
    if (balanceMicros !== undefined) await storeBalances(trx, [{ phoneId, balanceMicros, kind: 'entered' }]);
    const phone = await lockPhone(trx, phoneId);
    if (phone) await storePhoneLanes(trx, phoneLanes(phone, driver), placeOf(edit));
  });

/** Adds a phone; it sends nothing before a way out of it is switched on. */
export const addPhone = async (
  { db }: PhonesDeps,
  { name, phoneNumber = '' }: { name: string; phoneNumber?: string | undefined },
): Promise<PhoneId> => {
  const id = newId() as PhoneId;
  const { change } = readEdit({ name });
  const isAdded = await insertPhone(db, { id, name: change.name ?? name, phoneNumber: phoneNumber.trim() });
  if (!isAdded) throw new DomainError('E_PHONE_EXISTS', { name });
  return id;
};
