import type { AccountId } from '../../../contract/customer/accounts.ts';
import { batchParams } from '../../../contract/traffic/batches.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import { findContact } from '../../customer/accounts/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import {
  type CallerRoutes,
  requireOwnAccount,
  type SenderFiles,
  type SenderRoutes,
  type SendingAccount,
  senderFile,
} from '../../ground/route/index.ts';
import { SLOT_WAIT_MS } from '../messages/index.ts';
import { failedCsv } from './failed-csv.ts';
import { type BatchRow, findBatch, isFree, listBatches } from './store.ts';
import { talliesOf, tallyNow } from './tallies.ts';
import { viewBatch } from './view-batch.ts';

/** Counting takes a connection: only so many at the same time. */
const MAX_CONCURRENT = 2;

/** Another account's batch and one that does not exist get the same answer. */
const requireBatch = (batch: BatchRow | undefined): BatchRow => {
  if (!batch) throw new DomainError('E_NOT_FOUND');
  return batch;
};

/** With a test secret only what was sent with it is touched. */
export const requireOwnBatch = async (
  db: Db,
  { sender, batchId }: { sender: SendingAccount; batchId: BatchId },
): Promise<BatchRow> => {
  const batch = requireBatch(await findBatch(db, { accountId: sender.accountId, batchId }));
  if (sender.test && !isFree(batch)) throw new DomainError('E_NOT_FOUND');
  return batch;
};

/** For an account's secret, its test secret or its session. */
export const batchRoutes = ({ db }: { db: Db }): SenderRoutes => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, { maxWaitMs: SLOT_WAIT_MS });
  return {
    'GET /batches/:batchId': async ({ sender, params: { batchId }, hungUp }) => {
      const batch = await requireOwnBatch(db, { sender, batchId });
      const turn = { signal: hungUp, key: sender.accountId };
      return viewBatch(batch, await limited(() => tallyNow(db, batch), turn), null);
    },
  };
};

export const batchFiles = ({ db }: { db: Db }): SenderFiles => ({
  'GET /batches/:batchId/failed.csv': senderFile({
    summary: 'The messages of a batch that failed, each with the reason, to be corrected',
    params: batchParams,
    answer: async ({ sender, params: { batchId }, language }) => ({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'failed.csv',
      body: failedCsv(db, await requireOwnBatch(db, { sender, batchId }), language),
    }),
  }),
});

const emailsOf = async (db: Db, batches: BatchRow[]): Promise<Map<AccountId, string>> => {
  const ids = [...new Set(batches.map(({ accountId }) => accountId))];
  const contacts = await Promise.all(ids.map((id) => findContact(db, id)));
  return new Map(ids.map((id, at) => [id, contacts[at]?.email ?? '']));
};

/** Customers see their own files, admins everyone's. */
export const batchListRoutes = ({ db }: { db: Db }): CallerRoutes => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, { maxWaitMs: SLOT_WAIT_MS });
  return {
    'GET /account/:accountId/batches': async ({ caller, params, query, hungUp }) => {
      requireOwnAccount(caller, params.accountId);
      const { _id, ...asked } = query;
      const accountId = caller.admin ? undefined : caller.accountId;
      const turn = { signal: hungUp, key: caller.accountId };
      if (_id) {
        const batch = requireBatch(await findBatch(db, { accountId, batchId: _id }));
        const tally = await limited(() => tallyNow(db, batch), turn);
        const emails = caller.admin ? await emailsOf(db, [batch]) : undefined;
        return { batches: [viewBatch(batch, tally, emails?.get(batch.accountId) ?? null)], total: 1 };
      }
      const { batches, total } = await listBatches(db, { ...asked, accountId, channel: asked.channel });
      const tallies = await limited(() => talliesOf(db, batches), turn);
      const emails = caller.admin ? await emailsOf(db, batches) : undefined;
      return {
        batches: batches.flatMap((batch) => {
          const tally = tallies.get(batch.id);
          return tally ? [viewBatch(batch, tally, emails?.get(batch.accountId) ?? null)] : [];
        }),
        total,
      };
    },
  };
};
