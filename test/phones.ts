import type { PhoneEdit, PhoneId } from '../contract/phones.ts';
import { SIMULATED_RECIPIENTS } from '../contract/simulator.ts';
import { addPhone, changePhone } from '../server/phones/index.ts';
import type { Db } from '../server/postgres/index.ts';
import { phoneSimulator } from '../server/providers/simulator/index.ts';

/** The phones room on a test's database, with simulated phones. */
export const openTestPhones = (db: Db) => {
  const deps = { db, driver: phoneSimulator({ recipients: SIMULATED_RECIPIENTS }) };
  const edit = (phoneId: PhoneId, ...edits: PhoneEdit[]) =>
    edits.reduce((done, one) => done.then(() => changePhone(deps, phoneId, one)), Promise.resolve());
  /** A phone with these fields, set one after another. */
  const add = async (name: string, ...edits: PhoneEdit[]): Promise<PhoneId> => {
    const phoneId = await addPhone(deps, { name });
    await edit(phoneId, ...edits);
    return phoneId;
  };
  return { deps, add, edit };
};
