import { ADMIN_ROLES } from '../../contract/customer/admin-roles.ts';
import {
  type AccountsDeps,
  accountRoutes,
  adminAccountRoutes,
  adminInvitationRoutes,
  adminRoutes,
  openAccountRoutes,
  supportRoutes,
} from '../customer/accounts/index.ts';
import {
  type ContactsDeps,
  contactFiles,
  contactRoutes,
  contactUploads,
  readNames,
} from '../customer/contacts/index.ts';
import { type IntegrationDeps, integrationRoutes } from '../customer/integration/index.ts';
import {
  type OptOutsDeps,
  optOutFiles,
  optOutRoutes,
  optOutUploads,
  type UnsubscribeDeps,
  unsubscribePages,
} from '../customer/opt-outs/index.ts';
import { adminPriceFiles, adminPriceRoutes, type PriceRouteDeps } from '../customer/prices/index.ts';
import { adminSenderRoutes, type SendersDeps, senderRoutes } from '../customer/senders/index.ts';
import {
  adminWalletRoutes,
  processorWebhooks,
  sandboxRoutes,
  type WalletRouteDeps,
  walletFiles,
  walletRoutes,
} from '../customer/wallet/index.ts';
import {
  type AgentRouteDeps,
  adminAgentRoutes,
  agentSockets,
  type Switchboard,
} from '../fleet/agents/index.ts';
import { adminDeviceRoutes, type DevicesDeps, deviceRoutes } from '../fleet/devices/index.ts';
import { adminPhoneRoutes, type PhonesDeps } from '../fleet/phones/index.ts';
import { openListImports } from '../ground/csv/index.ts';
import type { Db } from '../ground/postgres/index.ts';
import { adminAuditRoutes, auditFiles, visitRoutes } from '../office/audit/index.ts';
import { type BillingDeps, billingFiles, billingRoutes } from '../office/billing/index.ts';
import { adminBulkActionRoutes, type BulkActionsDeps } from '../office/bulk-actions/index.ts';
import { type CustomersDeps, customerListRoutes, suspensionRoutes } from '../office/customers/index.ts';
import { type ExportsDeps, exportFiles } from '../office/exports/index.ts';
import { adminJobRoutes, type JobDashboardDeps, jobPages } from '../office/job-dashboard/index.ts';
import { type MailboxDeps, mailboxRoutes } from '../office/mailbox/index.ts';
import { adminOverviewRoutes, type OverviewDeps } from '../office/overview/index.ts';
import { adminPaymentRoutes, type PaymentsDeps } from '../office/payments/index.ts';
import {
  adminQueryRoutes,
  ownerQueryRoutes,
  type QueryDeps,
  queryStandingRoutes,
} from '../office/query/index.ts';
import { adminReportRoutes } from '../office/reports/index.ts';
import { adminRetentionRoutes, type RetentionDeps } from '../office/retention/index.ts';
import { batchFiles, batchListRoutes, batchRoutes } from '../traffic/batches/index.ts';
import { adminCarrierRoutes } from '../traffic/carriers/index.ts';
import { type ProviderWebhooksDeps, providerWebhooks } from '../traffic/delivery/index.ts';
import { adminLaneRoutes, adminMessageRoutes, type LanesDeps } from '../traffic/lanes/index.ts';
import { type MediaRouteDeps, mediaRoutes } from '../traffic/media/index.ts';
import {
  type DetailDeps,
  detailRoutes,
  type ListDeps,
  messageFiles,
  messageRoutes,
  statusRoutes,
  whatsappRoutes,
} from '../traffic/messages/index.ts';
import {
  adminDoubtRoutes,
  adminInboundRoutes,
  adminQueueRoutes,
  adminResolveRoutes,
  type CancelDeps,
  cancelRoutes,
  type ResolveDeps,
  transferRoutes,
} from '../traffic/outbox/index.ts';
import {
  adminLimitRoutes,
  adminTestRoutes,
  type SendingDeps,
  type SendingRouteDeps,
  sendingRoutes,
} from '../traffic/sending/index.ts';
import { type StartupDeps, startupRoutes } from '../traffic/startup/index.ts';
import { csvUploads, uploadFiles, uploadRoutes } from '../traffic/uploads/index.ts';
import { type WebhookRouteDeps, webhookRoutes } from '../traffic/webhooks/index.ts';
import { allowedCalls } from './allowed-calls.ts';
import type { GuardedRoom } from './registering/register-routes.ts';

/** What the rooms' routes need, by room; a room without a line needs only the database. */
export interface RoomDeps {
  db: Db;
  startup: StartupDeps;
  accounts: AccountsDeps;
  wallet: WalletRouteDeps;
  billing: BillingDeps;
  sending: SendingRouteDeps;
  uploads: SendingDeps;
  messages: ListDeps;
  details: DetailDeps;
  optOuts: OptOutsDeps;
  unsubscribe: UnsubscribeDeps;
  contacts: ContactsDeps;
  prices: PriceRouteDeps;
  outbox: CancelDeps & ResolveDeps;
  providers: ProviderWebhooksDeps;
  media: MediaRouteDeps;
  exports: ExportsDeps;
  integration: IntegrationDeps;
  webhooks: WebhookRouteDeps;
  retention: RetentionDeps;
  lanes: LanesDeps;
  senders: SendersDeps;
  customers: CustomersDeps;
  payments: PaymentsDeps;
  bulkActions: BulkActionsDeps;
  query: QueryDeps;
  phones: PhonesDeps;
  jobs: JobDashboardDeps;
  overview: OverviewDeps;
  devices: DevicesDeps;
  agents: AgentRouteDeps & { switchboard: Pick<Switchboard, 'admit' | 'open'> };
  mailbox: MailboxDeps | undefined;
  /** Where a CSV file lies while it is read. */
  uploadsFolder: string;
}

/**
 * Every endpoint below /api, and the pages behind our links, with its guard: this table shows who may call what, and it
 * is enforced for every call, file, upload and webhook. Nothing else may be registered there. Lines for admins name the
 * roles that may enter, besides owners. The audit log is kept by it too: every write of an admin's, and everything that
 * one reads of customers' data, which is all but what is found by the admin's own account, and lines that are about the
 * operation of the program. Lines whose writes decide about an account say so.
 */
export const routeTable = (deps: RoomDeps): GuardedRoom[] => {
  const { db, accounts, wallet, optOuts, contacts, uploadsFolder } = deps;
  // Shared: this many imports at a time, whichever list they are for.
  const imports = openListImports(uploadsFolder);
  const table: GuardedRoom[] = [
    { guard: 'public', routes: startupRoutes(deps.startup) },
    { guard: 'public', routes: openAccountRoutes(accounts) },
    { guard: 'customer', routes: accountRoutes(accounts, (role) => allowedCalls(table, role)) },
    { guard: 'customer', routes: walletRoutes(wallet), files: walletFiles(wallet) },
    { guard: 'customer', routes: billingRoutes(deps.billing), files: billingFiles(deps.billing) },
    { guard: 'customer', routes: sandboxRoutes(wallet) },
    { guard: 'signed', webhooks: processorWebhooks(wallet) },
    { guard: 'sender', routes: sendingRoutes(deps.sending) },
    { guard: 'sender', routes: statusRoutes({ db }) },
    {
      guard: 'sender',
      routes: uploadRoutes(deps.uploads),
      files: uploadFiles(deps.uploads),
      uploads: csvUploads(deps.uploads, uploadsFolder),
    },
    {
      guard: 'customer',
      routes: optOutRoutes({ ...optOuts, readNames }),
      files: optOutFiles(optOuts),
      uploads: optOutUploads(optOuts, imports),
    },
    { guard: 'public', pages: unsubscribePages(deps.unsubscribe) },
    {
      guard: 'customer',
      routes: contactRoutes(contacts),
      files: contactFiles(contacts),
      uploads: contactUploads(contacts, imports),
    },
    { guard: 'sender', routes: batchRoutes({ db }), files: batchFiles({ db }) },
    {
      guard: 'customer',
      allAccounts: true,
      roles: ['support', 'operator'],
      routes: batchListRoutes({ db }),
    },
    { guard: 'sender', routes: cancelRoutes(deps.outbox) },
    { guard: 'signed', webhooks: providerWebhooks(deps.providers) },
    {
      guard: 'customer',
      allAccounts: true,
      roles: ['support', 'operator'],
      routes: messageRoutes(deps.messages),
      files: messageFiles({ db }),
    },
    { guard: 'customer', roles: ['support', 'operator'], routes: detailRoutes(deps.details) },
    { guard: 'customer', routes: whatsappRoutes({ db }) },
    { guard: 'customer', files: mediaRoutes(deps.media) },
    { guard: 'customer', files: exportFiles(deps.exports) },
    { guard: 'customer', routes: integrationRoutes(deps.integration) },
    { guard: 'customer', routes: webhookRoutes(deps.webhooks) },
    { guard: 'customer', routes: senderRoutes(deps.senders) },
    { guard: 'customer', routes: visitRoutes({ db }) },
    {
      guard: 'customer',
      roles: ['support', 'operator'],
      allAccounts: true,
      routes: deviceRoutes(deps.devices),
    },
    { guard: 'admin', roles: ADMIN_ROLES, routes: adminAccountRoutes({ db }) },
    { guard: 'admin', roles: ['support'], routes: adminInvitationRoutes(accounts) },
    { guard: 'admin', roles: ['support'], routes: supportRoutes(accounts) },
    { guard: 'admin', roles: ['support', 'finance'], routes: customerListRoutes(deps.customers) },
    {
      guard: 'admin',
      roles: ['support', 'finance'],
      decides: true,
      routes: suspensionRoutes(deps.customers),
    },
    { guard: 'admin', roles: [], operation: true, routes: adminRoutes(accounts) },
    { guard: 'admin', roles: ['finance'], decides: true, routes: adminWalletRoutes(wallet) },
    {
      guard: 'admin',
      roles: ['finance'],
      readers: ['support'],
      operation: true,
      routes: adminPriceRoutes(deps.prices),
      files: adminPriceFiles(deps.prices),
    },
    { guard: 'admin', roles: ['support', 'finance'], decides: true, routes: adminLimitRoutes(deps.sending) },
    { guard: 'admin', roles: ADMIN_ROLES, operation: true, routes: adminMessageRoutes({ db }) },
    {
      guard: 'admin',
      roles: ['operator'],
      readers: ['support'],
      operation: true,
      routes: adminLaneRoutes(deps.lanes),
    },
    {
      guard: 'admin',
      roles: ['finance'],
      readers: ['support'],
      routes: adminPaymentRoutes(deps.payments),
    },
    { guard: 'admin', roles: ['support', 'operator'], routes: adminResolveRoutes(deps.outbox) },
    {
      guard: 'admin',
      roles: ['support', 'operator'],
      operation: true,
      routes: adminBulkActionRoutes(deps.bulkActions),
    },
    { guard: 'admin', roles: ['support', 'operator'], routes: adminDoubtRoutes({ db, readNames }) },
    { guard: 'admin', roles: ['support', 'operator'], routes: adminQueueRoutes({ db, readNames }) },
    {
      guard: 'admin',
      roles: ['support', 'operator'],
      decides: true,
      routes: adminSenderRoutes(deps.senders),
    },
    { guard: 'admin', roles: ['operator'], routes: adminDeviceRoutes(deps.devices) },
    { guard: 'admin', roles: ['support', 'operator'], routes: adminInboundRoutes({ db }) },
    {
      guard: 'admin',
      roles: ['operator'],
      readers: ['support'],
      operation: true,
      routes: adminRetentionRoutes(deps.retention),
    },
    { guard: 'admin', roles: ['analyst'], routes: adminQueryRoutes(deps.query) },
    { guard: 'admin', roles: ['analyst'], operation: true, routes: queryStandingRoutes(deps.query) },
    { guard: 'admin', roles: [], decides: true, routes: ownerQueryRoutes(deps.query) },
    {
      guard: 'admin',
      roles: ['operator'],
      readers: ['support'],
      operation: true,
      routes: adminPhoneRoutes(deps.phones),
    },
    { guard: 'admin', roles: ['support', 'operator'], routes: transferRoutes({ db }) },
    { guard: 'admin', roles: ['operator'], operation: true, routes: adminCarrierRoutes({ db }) },
    { guard: 'admin', roles: [], routes: adminAuditRoutes({ db }), files: auditFiles({ db }) },
    { guard: 'admin', roles: ['support', 'operator'], operation: true, routes: adminJobRoutes(deps.jobs) },
    { guard: 'admin', roles: ['operator'], operation: true, routes: adminTestRoutes(deps.sending) },
    { guard: 'admin', roles: ADMIN_ROLES, operation: true, routes: adminReportRoutes({ db }) },
    { guard: 'admin', roles: ADMIN_ROLES, operation: true, routes: adminOverviewRoutes(deps.overview) },
    {
      guard: 'admin',
      roles: ['operator'],
      readers: ['support'],
      operation: true,
      routes: adminAgentRoutes(deps.agents),
    },
    { guard: 'signed', sockets: agentSockets(deps.agents.switchboard) },
    { guard: 'ticket', roles: ['support', 'operator'], mounted: jobPages(deps.jobs) },
    ...(deps.mailbox ? [{ guard: 'mailbox' as const, routes: mailboxRoutes(deps.mailbox) }] : []),
  ];
  return table;
};
