import type { AccountId } from '../../../contract/customer/accounts.ts';
import { LATE_LIMIT_MINUTES } from '../../../contract/traffic/messages.ts';
import { findContact } from '../../customer/accounts/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { momentOf } from '../../ground/local-time/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Schedule } from '../outbox/index.ts';
import type { SendingDeps } from './sending-deps.ts';

export interface WantedSchedule {
  /** YYYY-MM-DDTHH:mm in the account's time zone, or with an offset. */
  sendAt?: string | undefined;
  lateLimitMinutes?: number | undefined;
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;
/** Somebody who picks the current minute does not mean the past. */
const GRACE_MS = 60_000;
const LONGEST_MS = 366 * 86_400_000;

const zoneOf = async (db: Db, accountId: AccountId): Promise<string> => {
  const contact = await findContact(db, accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return contact.timeZone;
};

/** Without a time: now. */
export const readSchedule = async (
  { db }: Pick<SendingDeps, 'db'>,
  accountId: AccountId,
  { sendAt, lateLimitMinutes = LATE_LIMIT_MINUTES }: WantedSchedule,
): Promise<Schedule | undefined> => {
  if (sendAt === undefined || sendAt === '') return undefined;
  const at = LOCAL.test(sendAt) ? momentOf(sendAt, await zoneOf(db, accountId)) : new Date(sendAt);
  if (!at || Number.isNaN(at.getTime())) throw new DomainError('E_SEND_AT_INVALID');
  const aheadMs = at.getTime() - Date.now();
  if (aheadMs < -GRACE_MS) throw new DomainError('E_SEND_AT_PAST');
  if (aheadMs > LONGEST_MS) throw new DomainError('E_SEND_AT_TOO_FAR');
  return { at, until: new Date(at.getTime() + lateLimitMinutes * 60_000) };
};
