import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Receivers } from '../receivers.ts';
import { setEndpointUrl } from './endpoint-store.ts';

/** For the room that owns the setting: checks an address, and takes over a saved one. */
export const openKeeper = ({ receivers }: { receivers: Pick<Receivers, 'judge'> }) => ({
  /** Before it is saved, outside any transaction: a name may have to be resolved. */
  check: async (url: string): Promise<void> => {
    if (url === '') return;
    const verdict = await receivers.judge(url);
    if (verdict === 'invalid') throw new DomainError('E_WEBHOOK_INVALID');
    if (verdict === 'private') throw new DomainError('E_WEBHOOK_PRIVATE');
    if (verdict === 'port') throw new DomainError('E_WEBHOOK_PORT');
  },
  /** Called in the transaction that saves the address. */
  changed: (trx: Db, accountId: AccountId, url: string): Promise<void> => setEndpointUrl(trx, accountId, url),
});
