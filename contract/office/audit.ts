import { z } from 'zod';
import { type AccountId, accountId, accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { day } from '../ground/day.ts';

/** How a write ended. 'open': it is being done, or the program ended before it knew. */
export const AUDIT_OUTCOMES = ['read', 'done', 'refused', 'failed', 'open'] as const;
export const AUDIT_KINDS = ['read', 'write'] as const;

/** Who did what a command on the server did: no account. */
export const SERVER = '00000000-0000-0000-0000-000000000000' as AccountId;

const auditId = z.string().regex(/^\d{1,18}$/);
const part = z.string().trim().max(200);

const entry = z.strictObject({
  _id: auditId,
  at: z.iso.datetime(),
  admin: z.strictObject({ _id: accountId, email: z.string() }),
  call: z.string().meta({ description: 'Such as PUT /admin/lanes/:laneId.' }),
  outcome: z.enum(AUDIT_OUTCOMES),
  account: z.strictObject({ _id: accountId, email: z.string() }).nullable(),
  subject: z.string().meta({ description: 'What the call named besides an account.' }),
  asked: z.unknown().meta({ description: 'What was sent along, without secrets.' }),
  before: z.unknown(),
  after: z.unknown(),
  address: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof entry>;

/** What an owner looks for. */
export const auditFilter = z.object({
  who: part.optional().meta({ description: "A part of the admin's email." }),
  call: part.optional().meta({ description: 'A part of what was called.' }),
  subject: part.optional().meta({ description: 'The id of what was named.' }),
  accountId: accountId.optional().meta({ description: 'The account that it concerned.' }),
  kind: z.enum(AUDIT_KINDS).optional(),
  dateFrom: day.optional().meta({ description: "In the admin's time zone." }),
  dateTo: day.optional().meta({ description: 'The last day that is included.' }),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditCalls = defineCalls({
  'GET /admin/audit': {
    summary: 'What admins did and read, newest first (owner)',
    query: auditFilter.extend({
      before: auditId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    reply: z.strictObject({ entries: z.array(entry), more: z.boolean() }),
  },
  'GET /admin/audit/verification': {
    summary: 'Whether no entry of the log was changed or removed (owner)',
    reply: z.strictObject({
      entries: z.int(),
      head: z
        .string()
        .meta({ description: 'The last entry as ID:HASH: kept elsewhere, it proves the log later.' }),
      fault: z
        .strictObject({ _id: auditId, why: z.enum(['missing', 'changed']) })
        .nullable()
        .meta({ description: 'The first entry that is not as it was written.' }),
    }),
  },
  'GET /account/:accountId/visits': {
    summary: 'When an admin saw the account as its owner sees it, newest first',
    params: accountParams,
    reply: z.strictObject({
      visits: z.array(
        z.strictObject({
          at: z.iso.datetime(),
          reason: z.string(),
          mayChange: z.boolean().meta({ description: 'Whether the admin could also change things.' }),
        }),
      ),
    }),
  },
});
