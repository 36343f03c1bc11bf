import type { AccountId } from '../../contract/accounts.ts';
import type { LaneProvider } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
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
  emailsOf: (accountIds: AccountId[]) => Promise<ReadonlyMap<AccountId, string>>;
}
