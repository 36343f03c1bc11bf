import { inject } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import type { InvitationId } from '../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../contract/customer/admin-roles.ts';
import { ACCOUNT_ID, AT, id, type Replies } from './reply.ts';

export const customer = (
  part: Partial<Reply<'GET /admin/accounts'>['accounts'][number]> = {},
): Reply<'GET /admin/accounts'>['accounts'][number] => ({
  _id: id(51),
  email: 'ann@example.com',
  state: 'active',
  admin: false,
  balance: 25.5,
  spentToday: 1.25,
  spent30Days: 42,
  spendPerDay: null,
  newCountriesPerDay: null,
  senders: 2,
  createdAt: AT,
  suspendedAt: null,
  suspendedReason: '',
  webhookFailingSince: null,
  ...part,
});

/** Of a customer, or of an admin of this role, who may call what the server's route table says. */
export const profile = (role?: AdminRole): Reply<'GET /account/me/profile'> => ({
  _id: ACCOUNT_ID,
  email: 'someone@example.com',
  balance: 12.5,
  currency: 'USD',
  createdAt: AT,
  admin: role !== undefined,
  ...(role && { adminRole: role, calls: inject('roleCalls')[role] }),
  timeZone: 'Asia/Hong_Kong',
  setting: { receiveEmail: true, webhook: '', sms: { dedicatedPhones: [] } },
  paymentSetting: {
    autoCharge: false,
    autoChargeAmount: null,
    cardId: null,
    autoChargeThreshold: 5,
    autoChargeDailyCap: 100,
    autoChargeStopped: '',
  },
});

const run = {
  rule: 'mail-copies',
  ranAt: AT,
  dryRun: false,
  days: 60,
  cutoff: AT,
  rows: 3,
  upTo: AT,
  endedAt: AT,
};

export const EMPTY_ACCOUNTS: Replies = {
  'GET /admin/invitations': { invitations: [] },
  'GET /account/me/profile': profile(),
  'GET /admin/retention': { mode: 'on', rules: [], log: [] },
  'GET /account/:accountId/visits': { visits: [] },
  'GET /admin/accounts': { accounts: [], more: false },
  'GET /admin/admins': { admins: [], invited: [] },
  'GET /admin/audit': { entries: [], more: false },
};

export const FULL_ACCOUNTS: Replies = {
  'GET /admin/retention': {
    mode: 'dry-run',
    rules: [
      { name: 'mail-copies', days: 60, removes: 'Copies of mails', due: 3, nextIsDry: true, last: run },
    ],
    log: [run],
  },
  'GET /account/:accountId/visits': { visits: [{ at: AT, reason: 'a lost message', mayChange: false }] },
  'GET /admin/accounts': { accounts: [customer()], more: false },
  'GET /admin/admins': {
    admins: [{ _id: ACCOUNT_ID, email: 'boss@example.com', role: 'owner', createdAt: AT, activated: true }],
    invited: [
      { invitationId: id(41) as InvitationId, email: 'soon@example.com', role: 'finance', expiresAt: AT },
    ],
  },
  'GET /admin/audit': {
    entries: [
      {
        _id: '41',
        at: AT,
        admin: { _id: ACCOUNT_ID, email: 'boss@example.com' },
        call: 'PUT /admin/lanes/:laneId',
        outcome: 'done',
        account: null,
        subject: '7',
        asked: { preference: 5 },
        before: { preference: 100 },
        after: { preference: 5 },
        address: '127.0.0.1',
        hash: 'ab12',
      },
    ],
    more: false,
  },
};
