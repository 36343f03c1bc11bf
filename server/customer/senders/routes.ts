import { DomainError } from '../../ground/domain-error.ts';
import { type CallerRoutes, requireOwnAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { addSender } from './add-sender.ts';
import { giveSender } from './give-sender.ts';
import type { SendersDeps } from './senders-deps.ts';
import { deleteOwnSender, deleteSender, listSenders, listSendersOf } from './store.ts';
import { verifySender } from './verify-sender.ts';
import { viewForAdmin, viewSender } from './view.ts';

export const senderRoutes = (deps: SendersDeps): CallerRoutes => ({
  'GET /account/:accountId/senders': async ({ caller, params: { accountId } }) => {
    requireOwnAccount(caller, accountId);
    const rows = await listSendersOf(deps.db, accountId);
    return { senders: rows.map((row) => viewSender(deps.secretKey, row)) };
  },
  'POST /account/:accountId/senders': async ({ caller, params: { accountId }, body, language }) => {
    requireOwnAccount(caller, accountId);
    const row = await addSender(deps, { accountId, language, ...body });
    const label = row.verifiedAt
      ? 'sender.verified'
      : row.kind === 'domain'
        ? 'sender.domain_added'
        : 'sender.code_sent';
    return {
      message: text(language, label, { sender: row.sender }),
      sender: viewSender(deps.secretKey, row),
    };
  },
  'POST /account/:accountId/senders/:senderId/verify': async ({ caller, params, body, language }) => {
    requireOwnAccount(caller, params.accountId);
    const row = await verifySender(deps, { ...params, code: body.code });
    return {
      message: text(language, 'sender.verified', { sender: row.sender }),
      sender: viewSender(deps.secretKey, row),
    };
  },
  'DELETE /account/:accountId/senders/:senderId': async ({ caller, params, language }) => {
    requireOwnAccount(caller, params.accountId);
    if (!(await deleteOwnSender(deps.db, params))) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'sender.removed') };
  },
});

export const adminSenderRoutes = (deps: SendersDeps): CallerRoutes => ({
  'GET /admin/senders': async ({ query: { accountId, keyword, before, limit } }) => {
    const rows = await listSenders(deps.db, {
      accountId,
      keyword: keyword?.replaceAll('\0', '').trim(),
      before,
      limit: limit + 1,
    });
    return { senders: rows.slice(0, limit).map(viewForAdmin), more: rows.length > limit };
  },
  'POST /admin/senders': async ({ body, changed }) => {
    const sender = viewForAdmin(await giveSender(deps, body));
    changed({ subject: sender._id, after: sender });
    return { sender };
  },
  'DELETE /admin/senders/:senderId': async ({ params: { senderId }, changed }) => {
    const removed = await deleteSender(deps.db, senderId);
    if (!removed) throw new DomainError('E_NOT_FOUND');
    changed({ accountId: removed.accountId, before: viewForAdmin(removed) });
    return { status: 'ok' as const };
  },
});
