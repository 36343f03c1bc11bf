import {
  type AccountsDeps,
  accountRoutes,
  adminAccountRoutes,
  adminInvitationRoutes,
  openAccountRoutes,
} from '../accounts/index.ts';
import { batchFiles, batchListRoutes, batchRoutes } from '../batches/index.ts';
import { billingFiles, billingRoutes } from '../billing/index.ts';
import { adminCarrierRoutes } from '../carriers/index.ts';
import { type ContactsDeps, contactFiles, contactRoutes, contactUploads } from '../contacts/index.ts';
import { openListImports } from '../csv/index.ts';
import { type ProviderWebhooksDeps, providerWebhooks } from '../delivery/index.ts';
import { type ExportsDeps, exportFiles } from '../exports/index.ts';
import { type IntegrationDeps, integrationRoutes } from '../integration/index.ts';
import { adminLaneRoutes, adminMessageRoutes, type LanesDeps } from '../lanes/index.ts';
import { type MailboxDeps, mailboxRoutes } from '../mailbox/index.ts';
import { type MediaRouteDeps, mediaRoutes } from '../media/index.ts';
import {
  adminTransferRoutes,
  type DetailDeps,
  detailRoutes,
  type ListDeps,
  messageFiles,
  messageRoutes,
  statusRoutes,
  whatsappRoutes,
} from '../messages/index.ts';
import {
  type OptOutsDeps,
  optOutFiles,
  optOutRoutes,
  optOutUploads,
  type UnsubscribeDeps,
  unsubscribePages,
} from '../opt-outs/index.ts';
import { adminInboundRoutes, type CancelDeps, cancelRoutes } from '../outbox/index.ts';
import { adminPaymentRoutes } from '../payments/index.ts';
import { adminPhoneRoutes, type PhonesDeps, phoneTransferRoutes } from '../phones/index.ts';
import { adminPriceRoutes } from '../prices/index.ts';
import { adminQueryRoutes, type QueryDeps } from '../query/index.ts';
import { adminRetentionRoutes, type RetentionDeps } from '../retention/index.ts';
import { adminSenderRoutes, type SendersDeps, senderRoutes } from '../senders/index.ts';
import { adminLimitRoutes, type SendingRouteDeps, sendingRoutes } from '../sending/index.ts';
import { type StartupDeps, startupRoutes } from '../startup/index.ts';
import { csvUploads, uploadFiles, uploadRoutes } from '../uploads/index.ts';
import {
  adminWalletRoutes,
  processorWebhooks,
  sandboxRoutes,
  type WalletRouteDeps,
  walletFiles,
  walletRoutes,
} from '../wallet/index.ts';
import { type WebhookRouteDeps, webhookRoutes } from '../webhooks/index.ts';
import type { GuardedRoom } from './register-routes.ts';

export interface RoomDeps {
  startup: StartupDeps;
  accounts: AccountsDeps;
  wallet: WalletRouteDeps;
  messages: SendingRouteDeps & ListDeps;
  details: DetailDeps;
  optOuts: OptOutsDeps;
  unsubscribe: UnsubscribeDeps;
  contacts: ContactsDeps;
  delivery: CancelDeps;
  providers: ProviderWebhooksDeps;
  media: MediaRouteDeps;
  exports: ExportsDeps;
  integration: IntegrationDeps;
  webhooks: WebhookRouteDeps;
  retention: RetentionDeps;
  lanes: LanesDeps;
  senders: SendersDeps;
  query: QueryDeps;
  phones: PhonesDeps;
  mailbox: MailboxDeps | undefined;
  /** Where a CSV file lies while it is read. */
  uploadsFolder: string;
}

/**
 * Every endpoint below /api, and the pages behind our links, with its guard: this table shows who may call what, and it
 * is enforced for every call, file, upload and webhook. Nothing else may be registered there. What an admin reads of
 * customers' data is noted by it too: everything but what is found by the admin's own account, and lines that are about
 * the operation of the program.
 */
export const routeTable = (deps: RoomDeps): GuardedRoom[] => {
  const { accounts, wallet, messages, optOuts, contacts, uploadsFolder } = deps;
  // Shared: this many imports at a time, whichever list they are for.
  const imports = openListImports(uploadsFolder);
  return [
    { guard: 'public', routes: startupRoutes(deps.startup) },
    { guard: 'public', routes: openAccountRoutes(accounts) },
    { guard: 'customer', routes: accountRoutes(accounts) },
    { guard: 'customer', routes: walletRoutes(wallet), files: walletFiles(wallet) },
    { guard: 'customer', routes: billingRoutes(wallet), files: billingFiles(wallet) },
    { guard: 'customer', routes: sandboxRoutes(wallet) },
    { guard: 'signed', webhooks: processorWebhooks(wallet) },
    { guard: 'sender', routes: sendingRoutes(messages) },
    { guard: 'sender', routes: statusRoutes(messages) },
    {
      guard: 'sender',
      routes: uploadRoutes(messages),
      files: uploadFiles(messages),
      uploads: csvUploads(messages, uploadsFolder),
    },
    {
      guard: 'customer',
      routes: optOutRoutes(optOuts),
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
    { guard: 'sender', routes: batchRoutes(messages), files: batchFiles(messages) },
    { guard: 'customer', allAccounts: true, routes: batchListRoutes(messages) },
    { guard: 'sender', routes: cancelRoutes(deps.delivery) },
    { guard: 'signed', webhooks: providerWebhooks(deps.providers) },
    { guard: 'customer', allAccounts: true, routes: messageRoutes(messages), files: messageFiles(messages) },
    { guard: 'customer', routes: detailRoutes(deps.details) },
    { guard: 'customer', routes: whatsappRoutes(messages) },
    { guard: 'customer', files: mediaRoutes(deps.media) },
    { guard: 'customer', files: exportFiles(deps.exports) },
    { guard: 'customer', routes: integrationRoutes(deps.integration) },
    { guard: 'customer', routes: webhookRoutes(deps.webhooks) },
    { guard: 'customer', routes: senderRoutes(deps.senders) },
    { guard: 'admin', routes: adminAccountRoutes(accounts) },
    { guard: 'admin', routes: adminInvitationRoutes(accounts) },
    { guard: 'admin', routes: adminWalletRoutes(wallet) },
    { guard: 'admin', operation: true, routes: adminPriceRoutes(messages) },
    { guard: 'admin', routes: adminLimitRoutes(messages) },
    { guard: 'admin', operation: true, routes: adminMessageRoutes(messages) },
    { guard: 'admin', operation: true, routes: adminLaneRoutes(deps.lanes) },
    { guard: 'admin', routes: adminPaymentRoutes({ accounts, wallet }) },
    { guard: 'admin', routes: adminTransferRoutes(messages) },
    { guard: 'admin', routes: adminSenderRoutes(deps.senders) },
    { guard: 'admin', routes: adminInboundRoutes(messages) },
    { guard: 'admin', operation: true, routes: adminRetentionRoutes(deps.retention) },
    { guard: 'admin', routes: adminQueryRoutes(deps.query) },
    { guard: 'admin', operation: true, routes: adminPhoneRoutes(deps.phones) },
    { guard: 'admin', routes: phoneTransferRoutes(deps.phones) },
    { guard: 'admin', operation: true, routes: adminCarrierRoutes(deps.phones) },
    ...(deps.mailbox ? [{ guard: 'mailbox' as const, routes: mailboxRoutes(deps.mailbox) }] : []),
  ];
};
