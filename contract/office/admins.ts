import { z } from 'zod';
import { accountId, accountParams, invitationId } from '../customer/accounts.ts';
import { ADMIN_ROLES } from '../customer/admin-roles.ts';
import { defineCalls } from '../ground/call.ts';
import { EMAIL_MAX_LENGTH } from '../ground/constants.ts';

const role = z.enum(ADMIN_ROLES);
const admin = z.strictObject({
  _id: accountId,
  email: z.string(),
  role,
  createdAt: z.iso.datetime(),
  activated: z.boolean().meta({ description: 'Otherwise they have registered, and will be an admin then.' }),
});
export type Admin = z.infer<typeof admin>;
const message = z.strictObject({ message: z.string() });

export const adminCalls = defineCalls({
  'GET /admin/admins': {
    summary: 'All admins, by email, and those who were invited (owner)',
    reply: z.strictObject({
      admins: z.array(admin),
      invited: z.array(
        z.strictObject({ invitationId, email: z.string(), role, expiresAt: z.iso.datetime() }),
      ),
    }),
  },
  'POST /admin/admins': {
    summary: 'Make somebody an admin; who has no account yet is invited to register (owner)',
    body: z.strictObject({ email: z.string().max(EMAIL_MAX_LENGTH * 4), role }),
    reply: message,
  },
  'PUT /admin/admins/:accountId': {
    summary: "Change an admin's role (owner)",
    params: accountParams,
    body: z.strictObject({ role }),
    reply: message,
  },
  'DELETE /admin/admins/:accountId': {
    summary: 'Make an admin a customer again (owner)',
    params: accountParams,
    reply: message,
  },
});
