import type { AccountId } from '../../../contract/customer/accounts.ts';
import { isReleased, isSoftRelease } from '../../../contract/fleet/phone-rules.ts';
import type { PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { findUnknownAccount } from '../../customer/accounts/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { type Db, isUniqueViolation, newId } from '../../ground/postgres/index.ts';
import { readCarriers } from '../../traffic/carriers/index.ts';
import { retireSimulatedLanes, storePhoneLanes } from '../../traffic/lanes/index.ts';
import { storeBalances } from './balance-store.ts';
import type { PhoneRow } from './phone.ts';
import { MODEM_METHODS, phoneLanes } from './phone-lanes.ts';
import type { PhonesDeps } from './phones-deps.ts';
import { isPlace, knownAliases, readEdit, readNumberOf, refuseField } from './read-edit.ts';
import {
  findPhoneOfName,
  findPhoneOfNumber,
  findPhoneOfSim,
  insertPhone,
  lockNumbers,
  lockPhone,
  updatePhone,
} from './store.ts';

const placeOf = (edit: PhoneEdit) => ({ reopen: isPlace(edit) });

interface PhoneThen {
  before: PhoneRow;
  after: PhoneRow | undefined;
}

const refuseTakenNumber = async (
  trx: Db,
  phone: { phoneId: PhoneId; phoneNumber: string },
): Promise<void> => {
  const name = phone.phoneNumber === '' ? undefined : await findPhoneOfNumber(trx, phone);
  if (name !== undefined)
    refuseField('phoneNumber', { label: 'phones.fault.taken', values: { phone: name } });
};

/** A phone that was given back keeps no number from others; one that comes back has to have its own. */
const ownsNumber = ({ phoneNumber, remark }: Pick<PhoneRow, 'phoneNumber' | 'remark'>): string =>
  isReleased(remark) ? '' : phoneNumber;

const applyEdit = (deps: PhonesDeps, phoneId: PhoneId, edit: PhoneEdit): Promise<PhoneThen> =>
  deps.db.transaction().execute(async (trx) => {
    const { change, balanceMicros } = readEdit(edit);
    if ('phoneNumber' in edit || 'remark' in edit) await lockNumbers(trx);
    const before = await lockPhone(trx, phoneId);
    if (!before) throw new DomainError('E_NOT_FOUND');
    if (isPlace(edit) && isSoftRelease(before.remark)) throw new DomainError('E_PHONE_SOFT_RELEASE');
    const lentTo = (change.setting?.dedicatedTo ?? []) as AccountId[];
    const unknown = lentTo.length > 0 ? await findUnknownAccount(trx, lentTo) : undefined;
    if (unknown) throw new DomainError('E_ACCOUNT_UNKNOWN', { accountId: unknown });
    if (change.carrierAliases)
      change.carrierAliases = knownAliases(change.carrierAliases, await readCarriers(trx));
    const phoneNumber = ownsNumber({ ...before, ...change });
    if (phoneNumber !== ownsNumber(before)) await refuseTakenNumber(trx, { phoneId, phoneNumber });
    await updatePhone(trx, phoneId, change);
    if (balanceMicros !== undefined) await storeBalances(trx, [{ phoneId, balanceMicros, kind: 'entered' }]);
    const phone = await lockPhone(trx, phoneId);
    if (phone) await storePhoneLanes(trx, phoneLanes(phone, deps), placeOf(edit));
    return { before, after: phone };
  });

/** Changes one field; the phone's lanes follow in the same transaction. Returns the phone as it was and is. */
export const changePhone = async (
  deps: PhonesDeps,
  phoneId: PhoneId,
  edit: PhoneEdit,
): Promise<PhoneThen> => {
  try {
    return await applyEdit(deps, phoneId, edit);
  } catch (error) {
    if (isUniqueViolation(error, 'phones_name_key'))
      throw new DomainError('E_PHONE_EXISTS', { name: edit.name ?? '' });
    throw error;
  }
};

const insertNamed = async (
  trx: Db,
  phone: { id: PhoneId; name: string; phoneNumber: string },
): Promise<PhoneId> => {
  const { name = phone.name } = readEdit({ name: phone.name }).change;
  if (!(await insertPhone(trx, { ...phone, name }))) throw new DomainError('E_PHONE_EXISTS', { name });
  return phone.id;
};

/** Adds a phone; it sends nothing before a way out of it is switched on. */
export const addPhone = (
  { db }: Pick<PhonesDeps, 'db'>,
  { name, phoneNumber: typed = '' }: { name: string; phoneNumber?: string | undefined },
): Promise<PhoneId> =>
  db.transaction().execute(async (trx) => {
    const id = newId() as PhoneId;
    const phoneNumber = readNumberOf(typed);
    await lockNumbers(trx);
    await refuseTakenNumber(trx, { phoneId: id, phoneNumber });
    return insertNamed(trx, { id, name, phoneNumber });
  });

/** A SIM as the agent beside it sees it. */
export interface AgentSim {
  agentId: string;
  /** Unknown: ''. */
  imsi: string;
  phoneNumber: string;
  method: 'sim-modem' | 'gammu';
}

const freeName = async (trx: Db, wanted: string): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await findPhoneOfName(trx, name))) return name;
  }
};

/**
 * The phone of a SIM, which the agent drives from now on; added under a name like the wanted one if there is none. A
 * phone stays with agents: if it went back to the simulator, its messages would be taken for sent.
 */
export const linkPhone = async (
  deps: PhonesDeps,
  trx: Db,
  { agentId, imsi, phoneNumber, method, name }: AgentSim & { name: string },
): Promise<PhoneId> => {
  await lockNumbers(trx);
  const phoneId =
    (await findPhoneOfSim(trx, { imsi, phoneNumber })) ??
    (await insertNamed(trx, { id: newId() as PhoneId, name: await freeName(trx, name), phoneNumber: '' }));
  const before = await lockPhone(trx, phoneId);
  if (!before) throw new DomainError('E_NOT_FOUND');
  // An agent's word takes no number from the phone that has it: an operator gives it where it belongs.
  const takesNumber =
    before.phoneNumber === '' && (await findPhoneOfNumber(trx, { phoneId, phoneNumber })) === undefined;
  if (before.agentId === null) await retireSimulatedLanes(trx, phoneId, MODEM_METHODS);
  await updatePhone(trx, phoneId, {
    agentId,
    ...(imsi && { imsi }),
    ...(takesNumber && { phoneNumber }),
    setting: { ...before.setting, method },
  });
  const phone = await lockPhone(trx, phoneId);
  if (phone) await storePhoneLanes(trx, phoneLanes(phone, deps), { reopen: true });
  return phoneId;
};

/** Stores the lane of an agent's phone for which SMS was never switched on: what comes to its SIM needs one. */
export const storeReceivingLane = (
  deps: PhonesDeps,
  { phoneId, method }: { phoneId: PhoneId; method: AgentSim['method'] },
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const phone = await lockPhone(trx, phoneId);
    if (!phone?.agentId) return;
    const lanes = phoneLanes(phone, deps).filter((lane) => lane.method === method);
    await storePhoneLanes(trx, lanes, { receiving: true });
  });
