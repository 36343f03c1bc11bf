import {
  type AccountsDeps,
  accountRoutes,
  adminAccountRoutes,
  openAccountRoutes,
} from '../accounts/index.ts';
import { billingRoutes } from '../billing/index.ts';
import { type ContactsDeps, contactRoutes } from '../contacts/index.ts';
import { type IntegrationDeps, integrationRoutes } from '../integration/index.ts';
import { adminMessageRoutes } from '../lanes/index.ts';
import { type MailboxDeps, mailboxRoutes } from '../mailbox/index.ts';
import {
  type DetailDeps,
  detailRoutes,
  type ListDeps,
  messageRoutes,
  statusRoutes,
  whatsappRoutes,
} from '../messages/index.ts';
import { type OptOutsDeps, optOutRoutes } from '../opt-outs/index.ts';
import { type CancelDeps, cancelRoutes } from '../outbox/index.ts';
import { adminRetentionRoutes, type RetentionDeps } from '../retention/index.ts';
import { type SendingRouteDeps, sendingRoutes } from '../sending/index.ts';
import { type StartupDeps, startupRoutes } from '../startup/index.ts';
import { uploadRoutes } from '../uploads/index.ts';
import { adminWalletRoutes, sandboxRoutes, type WalletRouteDeps, walletRoutes } from '../wallet/index.ts';
import { type WebhookRouteDeps, webhookRoutes } from '../webhooks/index.ts';
import type { GuardedRoom } from './register-routes.ts';

export interface RoomDeps {
  startup: StartupDeps;
  accounts: AccountsDeps;
  wallet: WalletRouteDeps;
  messages: SendingRouteDeps & ListDeps;
  details: DetailDeps;
  optOuts: OptOutsDeps;
  contacts: ContactsDeps;
  delivery: CancelDeps;
  integration: IntegrationDeps;
  webhooks: WebhookRouteDeps;
  retention: RetentionDeps;
  mailbox: MailboxDeps | undefined;
}

/** Every room with its guard: who may do what is seen here, and enforced for every call. */
export const routeTable = ({
  startup,
  accounts,
  wallet,
  messages,
  details,
  optOuts,
  contacts,
  delivery,
  integration,
  webhooks,
  retention,
  mailbox,
}: RoomDeps): GuardedRoom[] => [
  { guard: 'public', routes: startupRoutes(startup) },
  { guard: 'public', routes: openAccountRoutes(accounts) },
  { guard: 'customer', routes: accountRoutes(accounts) },
  { guard: 'customer', routes: walletRoutes(wallet) },
  { guard: 'customer', routes: billingRoutes(wallet) },
  { guard: 'customer', routes: sandboxRoutes(wallet) },
  { guard: 'sender', routes: sendingRoutes(messages) },
  { guard: 'sender', routes: statusRoutes(messages) },
  { guard: 'sender', routes: uploadRoutes(messages) },
  { guard: 'customer', routes: optOutRoutes(optOuts) },
  { guard: 'customer', routes: contactRoutes(contacts) },
  { guard: 'sender', routes: cancelRoutes(delivery) },
  { guard: 'customer', routes: messageRoutes(messages) },
  { guard: 'customer', routes: detailRoutes(details) },
  { guard: 'customer', routes: whatsappRoutes(messages) },
  { guard: 'customer', routes: integrationRoutes(integration) },
  { guard: 'customer', routes: webhookRoutes(webhooks) },
  { guard: 'admin', routes: adminAccountRoutes(accounts) },
  { guard: 'admin', routes: adminWalletRoutes(wallet) },
  { guard: 'admin', routes: adminMessageRoutes(messages) },
  { guard: 'admin', routes: adminRetentionRoutes(retention) },
  ...(mailbox ? [{ guard: 'local' as const, routes: mailboxRoutes(mailbox) }] : []),
];
