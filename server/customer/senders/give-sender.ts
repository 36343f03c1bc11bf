import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { readGivenSender } from './read-sender.ts';
import type { SendersDeps } from './senders-deps.ts';
import { insertGivenSender, type SenderRow } from './store.ts';

/** Needs no proof: the admin answers for it. */
export const giveSender = (
  { db, holdOpen }: Pick<SendersDeps, 'db' | 'holdOpen'>,
  { accountId, channel, sender }: { accountId: AccountId; channel: Channel; sender: string },
): Promise<SenderRow> =>
  db.transaction().execute(async (trx) => {
    const named = readGivenSender(channel, sender);
    if (!(await holdOpen(trx, accountId))) throw new DomainError('E_NOT_FOUND');
    return insertGivenSender(trx, { accountId, channel, ...named });
  });
