import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type BulkAction, bulkActionId } from '../../../contract/office/bulk-actions.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { phraseText } from '../../ground/translations/index.ts';
import { beginAction } from './begin-action.ts';
import type { BulkActionsDeps } from './bulk-actions-deps.ts';
import { type BulkActionRow, endAction, findAction, listActions, listResults } from './store.ts';

const LISTED = 50;

const view = (row: BulkActionRow, reader: AccountId): BulkAction => ({
  _id: bulkActionId.parse(row.id),
  action: row.action,
  state: row.state,
  total: row.total,
  changed: row.changed,
  unchanged: row.unchanged,
  refused: row.refused,
  own: row.askedBy === reader,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});

export const adminBulkActionRoutes = (deps: BulkActionsDeps): CallerRoutes => {
  const { db } = deps;
  const found = async (id: BulkActionRow['id']): Promise<BulkActionRow> => {
    const row = await findAction(db, id);
    if (!row) throw new DomainError('E_NOT_FOUND');
    return row;
  };
  return {
    'POST /admin/bulkActions': async ({ caller, body, changed }) => {
      const action = view(await beginAction(deps, caller, body), caller.accountId);
      changed({ subject: action._id, after: { action: action.action, total: action.total } });
      return { action };
    },
    'GET /admin/bulkActions': async ({ caller }) => ({
      actions: (await listActions(db, LISTED)).map((row) => view(row, caller.accountId)),
    }),
    'GET /admin/bulkActions/:actionId': async ({ caller, params: { actionId } }) => ({
      action: view(await found(actionId), caller.accountId),
    }),
    'GET /admin/bulkActions/:actionId/results': async ({ params: { actionId }, query, language }) => {
      await found(actionId);
      const { limit } = query;
      const rows = await listResults(db, actionId, { ...query, limit: limit + 1 });
      const results = rows.slice(0, limit).map(({ id, place, outcome, reason }) => ({
        _id: id,
        place,
        outcome,
        reason: reason ? phraseText(language, reason) : '',
      }));
      return { results, more: rows.length > limit };
    },
    'POST /admin/bulkActions/:actionId/stop': async ({ caller, params: { actionId }, changed }) => {
      const before = await found(actionId);
      await endAction(db, actionId, 'STOPPED');
      const after = await found(actionId);
      changed({ before: { state: before.state }, after: { state: after.state, changed: after.changed } });
      return { action: view(after, caller.accountId) };
    },
  };
};
