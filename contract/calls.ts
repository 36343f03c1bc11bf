import type { z } from 'zod';
import { accountCalls } from './accounts.ts';
import { adminCalls } from './admins.ts';
import { agentCalls } from './agents.ts';
import { auditCalls } from './audit.ts';
import { batchCalls } from './batches.ts';
import { billingCalls } from './billing.ts';
import { bulkActionCalls } from './bulk-actions.ts';
import type { Call } from './call.ts';
import { carrierCalls } from './carriers.ts';
import { contactCalls } from './contacts.ts';
import { customerCalls } from './customers.ts';
import { deviceCalls } from './devices.ts';
import { inDoubtCalls } from './in-doubt.ts';
import { integrationCalls } from './integration.ts';
import { jobDashboardCalls } from './job-dashboard.ts';
import { laneQueueCalls } from './lane-queue.ts';
import { laneCalls } from './lanes.ts';
import { mailboxCalls } from './mailbox.ts';
import { mediaCalls } from './media.ts';
import { messageDetailCalls } from './message-details.ts';
import { messageSearchCalls } from './message-search.ts';
import { messageCalls } from './messages.ts';
import { optOutCalls } from './opt-outs.ts';
import { overviewCalls } from './overview.ts';
import { paymentsCalls } from './payments.ts';
import { phoneTransferCalls } from './phone-transfer.ts';
import { phoneCalls } from './phones.ts';
import { priceCalls } from './prices.ts';
import { queryCalls } from './query.ts';
import { reportCalls } from './reports.ts';
import { resolvingCalls } from './resolving.ts';
import { retentionCalls } from './retention.ts';
import { senderCalls } from './senders.ts';
import { sendingLimitCalls } from './sending-limits.ts';
import { startupCalls } from './startup.ts';
import { unassignedCalls } from './unassigned.ts';
import { uploadCalls } from './uploads.ts';
import { walletCalls } from './wallet.ts';
import { webhookCalls } from './webhooks.ts';

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
