import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { LaneProvider } from '../../traffic/lanes/index.ts';
import type { DeviceDriver } from './driver.ts';
import type { GovernorPolicy } from './governor.ts';

export interface DevicesDeps {
  db: Db;
  /** Seals the sessions. */
  secretKey: Buffer;
  /** New devices are of the first; each serves its own. */
  drivers: readonly DeviceDriver[];
  /** Check and seal the settings of numbers that an admin makes devices. */
  laneProviders: LaneProvider[];
  policy: GovernorPolicy;
  /** Refuses an account that may not send for real: a real device takes a browser's memory from the moment it starts. */
  requireRealSender: (trx: Db, accountId: AccountId) => Promise<void>;
  emailsOf: (accountIds: AccountId[]) => Promise<ReadonlyMap<AccountId, string>>;
}
