import type { z } from 'zod';
import { accountCalls } from './customer/accounts.ts';
import { contactCalls } from './customer/contacts.ts';
import { integrationCalls } from './customer/integration.ts';
import { optOutCalls } from './customer/opt-outs.ts';
import { priceCalls } from './customer/prices.ts';
import { senderCalls } from './customer/senders.ts';
import { sendingLimitCalls } from './customer/sending-limits.ts';
import { walletCalls } from './customer/wallet.ts';
import { agentCalls } from './fleet/agents.ts';
import { deviceCalls } from './fleet/devices.ts';
import { phoneTransferCalls } from './fleet/phone-transfer.ts';
import { phoneCalls } from './fleet/phones.ts';
import type { Call } from './ground/call.ts';
import { adminCalls } from './office/admins.ts';
import { auditCalls } from './office/audit.ts';
import { billingCalls } from './office/billing.ts';
import { bulkActionCalls } from './office/bulk-actions.ts';
import { customerCalls } from './office/customers.ts';
import { inDoubtCalls } from './office/in-doubt.ts';
import { jobDashboardCalls } from './office/job-dashboard.ts';
import { mailboxCalls } from './office/mailbox.ts';
import { overviewCalls } from './office/overview.ts';
import { paymentsCalls } from './office/payments.ts';
import { queryCalls } from './office/query.ts';
import { reportCalls } from './office/reports.ts';
import { resolvingCalls } from './office/resolving.ts';
import { retentionCalls } from './office/retention.ts';
import { batchCalls } from './traffic/batches.ts';
import { carrierCalls } from './traffic/carriers.ts';
import { laneQueueCalls } from './traffic/lane-queue.ts';
import { laneCalls } from './traffic/lanes.ts';
import { mediaCalls } from './traffic/media.ts';
import { messageDetailCalls } from './traffic/message-details.ts';
import { messageSearchCalls } from './traffic/message-search.ts';
import { messageCalls } from './traffic/messages.ts';
import { startupCalls } from './traffic/startup.ts';
import { unassignedCalls } from './traffic/unassigned.ts';
import { uploadCalls } from './traffic/uploads.ts';
import { webhookCalls } from './traffic/webhooks.ts';

/** Every call of the API. The browser imports only the types of this table. */
export const calls = {
  ...accountCalls,
  ...walletCalls,
  ...messageCalls,
  ...messageSearchCalls,
  ...messageDetailCalls,
  ...uploadCalls,
  ...batchCalls,
  ...webhookCalls,
  ...optOutCalls,
  ...contactCalls,
  ...billingCalls,
  ...startupCalls,
  ...mailboxCalls,
  ...mediaCalls,
  ...integrationCalls,
  ...retentionCalls,
  ...laneCalls,
  ...priceCalls,
  ...sendingLimitCalls,
  ...senderCalls,
  ...unassignedCalls,
  ...queryCalls,
  ...paymentsCalls,
  ...phoneCalls,
  ...phoneTransferCalls,
  ...carrierCalls,
  ...auditCalls,
  ...adminCalls,
  ...customerCalls,
  ...resolvingCalls,
  ...bulkActionCalls,
  ...inDoubtCalls,
  ...laneQueueCalls,
  ...jobDashboardCalls,
  ...reportCalls,
  ...overviewCalls,
  ...deviceCalls,
  ...agentCalls,
};

export type Calls = typeof calls;
export type CallName = keyof Calls;

type Part<
  C extends Call,
  P extends 'params' | 'query' | 'body' | 'headers',
  Side extends 'in' | 'out',
> = C extends {
  [K in P]: infer S extends z.ZodType;
}
  ? Side extends 'in'
    ? z.input<S>
    : z.output<S>
  : undefined;

export type Params<N extends CallName> = Part<Calls[N], 'params', 'out'>;
export type Query<N extends CallName> = Part<Calls[N], 'query', 'out'>;
export type Body<N extends CallName> = Part<Calls[N], 'body', 'out'>;
export type Headers<N extends CallName> = Part<Calls[N], 'headers', 'out'>;
export type Reply<N extends CallName> = z.input<Calls[N]['reply']>;
