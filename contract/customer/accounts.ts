import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CURRENCIES, EMAIL_MAX_LENGTH, LANGUAGES } from '../ground/constants.ts';
import { typedAmount } from '../ground/typed-amount.ts';
import { ADMIN_ROLES } from './admin-roles.ts';

// One spelling, so that comparing it in the program tells what comparing it in the database tells.
export const accountId = z.uuid().toLowerCase().brand<'AccountId'>();
export type AccountId = z.infer<typeof accountId>;
export const accountParams = z.strictObject({ accountId });

/** Checks only the shape and a bound. The verbs check the content, so that each fault has its own code and text. */
const email = z
  .string()
  .max(EMAIL_MAX_LENGTH * 4)
  .meta({ examples: ['customer@example.com'] });
const password = z.string().max(4096);
const token = z.string().max(512);

/** Who may register. */
export const REGISTRATION = ['open', 'invitation', 'closed'] as const;
export type Registration = (typeof REGISTRATION)[number];

const message = z.strictObject({ message: z.string() });

const profile = z.strictObject({
  _id: accountId,
  email: z.string(),
  balance: z.number().meta({ description: 'In USD.' }),
  currency: z.enum(CURRENCIES).meta({ description: 'What the card is charged in.' }),
  createdAt: z.iso.datetime(),
  admin: z.boolean(),
  adminRole: z.enum(ADMIN_ROLES).optional().meta({ description: 'What an admin may do.' }),
  calls: z
    .array(z.string())
    .optional()
    .meta({ description: 'The calls that an admin of this role may make as such, as `METHOD /path`.' }),
  view: z
    .strictObject({ mayChange: z.boolean(), until: z.iso.datetime() })
    .optional()
    .meta({ description: 'An admin is seeing the account as its owner does.' }),
  timeZone: z
    .string()
    .meta({ description: 'Whose calendar days and clocks the account goes by, such as Asia/Hong_Kong.' }),
  setting: z.strictObject({
    receiveEmail: z.boolean(),
    webhook: z.string(),
    sms: z.strictObject({ dedicatedPhones: z.array(z.string()) }),
  }),
  paymentSetting: z.strictObject({
    autoCharge: z.boolean(),
    autoChargeAmount: z.number().nullable(),
    cardId: z.string().nullable(),
    autoChargeThreshold: z
      .number()
      .meta({ description: 'In USD: a spend that leaves the balance below it starts a top-up.' }),
    autoChargeDailyCap: z
      .number()
      .meta({ description: 'In USD: at most so much is topped up automatically in 24 hours.' }),
    autoChargeStopped: z
      .string()
      .meta({ description: 'Why automatic top-up turned itself off; empty when it did not.' }),
  }),
});
export type Profile = z.infer<typeof profile>;

export const invitationId = z.uuid().brand<'InvitationId'>();
export type InvitationId = z.infer<typeof invitationId>;
const invitation = z.strictObject({
  invitationId,
  email: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
});

const accountSummary = z.strictObject({
  _id: accountId,
  email: z.string(),
  username: z.string(),
  balance: z.number(),
  currency: z.enum(CURRENCIES),
  active: z.boolean(),
  closedAt: z.iso.datetime().nullable(),
});

export const accountCalls = defineCalls({
  'POST /account/login': {
    summary: 'Sign in',
    body: z.strictObject({ email, password }),
    reply: z.strictObject({ token: z.string(), accountId }),
  },
  'POST /account/logout': {
    summary: 'Sign out: the token stops working',
    reply: message,
  },
  'POST /account/register': {
    summary: 'Register an account; an activation link is sent by email',
    body: z.strictObject({
      email,
      password,
      invitation: token.optional().meta({
        description: 'The token from the link of an invitation, where the operator asks for one.',
      }),
    }),
    reply: message,
  },
  'POST /account/forgotPassword': {
    summary: 'Ask for a password reset link by email',
    body: z.strictObject({ email }),
    reply: message,
  },
  'POST /account/resetPassword': {
    summary: 'Set a new password with the token from the reset link',
    body: z.strictObject({ token, password, confirmPassword: password }),
    reply: z.strictObject({ token: z.string(), accountId }),
  },
  'POST /activate': {
    summary: 'Activate an account with the token from the activation link',
    body: z.strictObject({ token }),
    reply: z.strictObject({ token: z.string(), accountId }),
  },
  'GET /account/me/profile': {
    summary: "The signed-in account's profile",
    reply: profile,
  },
  'PUT /account/:accountId/setting': {
    summary: 'Change whether mails are received, or the webhook address (empty: none)',
    params: accountParams,
    body: z.union([
      z.strictObject({ receiveEmail: z.boolean() }),
      z.strictObject({ webhook: z.string().max(2000) }),
    ]),
    reply: message,
  },
  'PUT /account/:accountId/paymentSetting': {
    summary: 'Change the settlement currency or automatic top-up',
    params: accountParams,
    body: z.union([
      z.strictObject({ currency: z.enum(CURRENCIES) }),
      z.strictObject({ autoCharge: z.literal(false) }),
      z.strictObject({
        autoCharge: z.literal(true),
        autoChargeAmount: typedAmount,
        cardId: z.string().max(100),
        autoChargeThreshold: typedAmount.optional(),
        autoChargeDailyCap: typedAmount.optional(),
      }),
    ]),
    reply: message,
  },
  'POST /account/:accountId/confirmPassword': {
    summary: 'Type the password again: for a short while this session is shown the API secrets',
    params: accountParams,
    body: z.strictObject({ password }),
    reply: z.strictObject({ message: z.string() }),
  },
  'POST /account/:accountId/close': {
    summary: 'Close the account for good: its email typed again, and its password',
    params: accountParams,
    body: z.strictObject({ email, password }),
    reply: message,
  },
  'GET /admin/invitations': {
    summary: 'Invitations that have not expired, newest first (admin)',
    reply: z.strictObject({ invitations: z.array(invitation) }),
  },
  'POST /admin/invitations': {
    summary: 'Send somebody a link by which they may register, once (admin)',
    body: z.strictObject({ email, language: z.enum(LANGUAGES).optional() }),
    reply: invitation,
  },
  'DELETE /admin/invitations/:invitationId': {
    summary: 'Take an invitation back: its link stops working (admin)',
    params: z.strictObject({ invitationId }),
    reply: message,
  },
  'GET /accounts': {
    summary: 'All accounts, the newest 10,000 at most (admin)',
    reply: z.strictObject({
      accounts: z.array(accountSummary),
      more: z.boolean().meta({ description: 'Whether there are older ones, which are not listed.' }),
    }),
  },
});
