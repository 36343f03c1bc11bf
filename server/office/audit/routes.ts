import { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { type AuditEntry, type AuditFilter, auditFilter } from '../../../contract/office/audit.ts';
import { findByEmailPart, findContact } from '../../customer/accounts/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import {
  type CallerFiles,
  type CallerRoutes,
  callerFile,
  requireOwnAccount,
} from '../../ground/route/index.ts';
import { accountEmails, auditCsv } from './audit-csv.ts';
import { listVisits } from './list-visits.ts';
import { type FoundEntry, searchEntries } from './store.ts';
import { openVerifier } from './verify-chain.ts';

/** More accounts than this match a part of an email only if it is too short to mean one. */
const ADMINS = 500;
const VISITS = 50;

const searchOf = async (db: Db, asker: AccountId, { who, ...filter }: AuditFilter) => ({
  ...filter,
  adminIds: who ? await findByEmailPart(db, who, ADMINS) : undefined,
  timeZone: (await findContact(db, asker))?.timeZone ?? DEFAULT_TIME_ZONE,
});

const view = (
  { id, at, adminId, accountId, ...same }: FoundEntry,
  names: Map<AccountId, string>,
): AuditEntry => ({
  ...same,
  _id: id,
  at: at.toISOString(),
  admin: { _id: adminId, email: names.get(adminId) ?? '' },
  account: accountId && { _id: accountId, email: names.get(accountId) ?? '' },
});

export const adminAuditRoutes = ({ db }: { db: Db }): CallerRoutes => {
  const verify = openVerifier(db);
  return {
    'GET /admin/audit': async ({ caller, query: { before, limit, ...filter }, language }) => {
      const search = await searchOf(db, caller.accountId, filter);
      const found = await searchEntries(db, { ...search, before, limit: limit + 1 });
      const entries = found.slice(0, limit);
      const names = await accountEmails(db, entries, language);
      return { entries: entries.map((entry) => view(entry, names)), more: found.length > limit };
    },
    'GET /admin/audit/verification': async () => {
      const { fault, ...verified } = await verify();
      return { ...verified, fault: fault && { _id: fault.id, why: fault.why } };
    },
  };
};

export const auditFiles = ({ db }: { db: Db }): CallerFiles => ({
  'GET /admin/audit.csv': callerFile({
    summary: 'What admins did and read as a CSV file (owner)',
    params: z.strictObject({}),
    query: auditFilter,
    answer: async ({ caller, query, language }) => ({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'audit.csv',
      body: auditCsv(db, await searchOf(db, caller.accountId, query), language),
    }),
  }),
});

export const visitRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /account/:accountId/visits': async ({ caller, params: { accountId } }) => {
    requireOwnAccount(caller, accountId);
    return { visits: await listVisits(db, accountId, VISITS) };
  },
});
