import { EMPTY_ACCOUNTS, FULL_ACCOUNTS } from './replies/accounts.ts';
import { EMPTY_INTEGRATION, FULL_INTEGRATION } from './replies/integration.ts';
import { EMPTY_MESSAGES, FULL_MESSAGES } from './replies/messages.ts';
import { EMPTY_PHONES, FULL_PHONES } from './replies/phones.ts';
import { EMPTY_QUERY, FULL_QUERY } from './replies/query.ts';
import type { Replies } from './replies/reply.ts';
import { EMPTY_SENDING, FULL_SENDING } from './replies/sending.ts';
import { EMPTY_WALLET, FULL_WALLET } from './replies/wallet.ts';

export { customer, profile } from './replies/accounts.ts';
export { message } from './replies/messages.ts';
export { device, phone, STOPPED } from './replies/phones.ts';
export { ACCOUNT_ID, type Replies } from './replies/reply.ts';
export { BATCH_ID, UPLOAD_ID } from './replies/sending.ts';

/** An account that has done nothing yet. */
export const EMPTY: Replies = {
  ...EMPTY_ACCOUNTS,
  ...EMPTY_INTEGRATION,
  ...EMPTY_MESSAGES,
  ...EMPTY_PHONES,
  ...EMPTY_QUERY,
  ...EMPTY_SENDING,
  ...EMPTY_WALLET,
};

/** The same account after some use. */
export const FULL: Replies = {
  ...EMPTY,
  ...FULL_ACCOUNTS,
  ...FULL_INTEGRATION,
  ...FULL_MESSAGES,
  ...FULL_PHONES,
  ...FULL_QUERY,
  ...FULL_SENDING,
  ...FULL_WALLET,
};
