import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { deleteAll } from './delete-device.ts';
import { listDevices } from './store.ts';

/** Deletes the devices of an account that is being closed, within that transaction. */
export const closeDevices = async (trx: Db, accountId: AccountId): Promise<void> =>
  deleteAll(trx, await listDevices(trx, accountId));
