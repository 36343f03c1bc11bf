import type { Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { listEnds } from './store.ts';

type Visit = Reply<'GET /account/:accountId/visits'>['visits'][number];

/** Seeing an account as its owner does: the owner is told of it. */
const VIEW_CALL = 'POST /admin/accounts/:accountId/view';

/** When admins saw the account in its owner's place, and why; newest first. */
export const listVisits = async (db: Db, accountId: AccountId, limit: number): Promise<Visit[]> => {
  const ends = await listEnds(db, { accountId, call: VIEW_CALL, limit });
  return ends.map(({ at, after }) => {
    const { reason, mayChange } = after as { reason: string; mayChange: boolean };
    return { at: at.toISOString(), reason, mayChange };
  });
};
