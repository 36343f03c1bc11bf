import {
  type AccountsDeps,
  accountRoutes,
  adminAccountRoutes,
  openAccountRoutes,
} from '../accounts/index.ts';
import { billingRoutes } from '../billing/index.ts';
import { deliveryRoutes, type WithdrawDeps } from '../delivery/index.ts';
import { type MailboxDeps, mailboxRoutes } from '../mailbox/index.ts';
import { type MessageRouteDeps, messageRoutes, sendingRoutes, uploadRoutes } from '../messages/index.ts';
import { type StartupDeps, startupRoutes } from '../startup/index.ts';
import { adminWalletRoutes, sandboxRoutes, type WalletRouteDeps, walletRoutes } from '../wallet/index.ts';
import type { GuardedRoom } from './register-routes.ts';

export interface RoomDeps {
  startup: StartupDeps;
  accounts: AccountsDeps;
  wallet: WalletRouteDeps;
  messages: MessageRouteDeps;
  delivery: WithdrawDeps;
  mailbox: MailboxDeps | undefined;
}

/** Every room with its guard: who may do what is seen here, and enforced for every call. */
export const routeTable = ({
  startup,
  accounts,
  wallet,
  messages,
  delivery,
  mailbox,
}: RoomDeps): GuardedRoom[] => [
  { guard: 'public', routes: startupRoutes(startup) },
  { guard: 'public', routes: openAccountRoutes(accounts) },
  { guard: 'customer', routes: accountRoutes(accounts) },
  { guard: 'customer', routes: walletRoutes(wallet) },
  { guard: 'customer', routes: billingRoutes(wallet) },
  { guard: 'customer', routes: sandboxRoutes(wallet) },
  { guard: 'sender', routes: sendingRoutes(messages) },
  { guard: 'sender', routes: uploadRoutes(messages) },
  { guard: 'sender', routes: deliveryRoutes(delivery) },
  { guard: 'customer', routes: messageRoutes(messages) },
  { guard: 'admin', routes: adminAccountRoutes(accounts) },
  { guard: 'admin', routes: adminWalletRoutes(wallet) },
  ...(mailbox ? [{ guard: 'local' as const, routes: mailboxRoutes(mailbox) }] : []),
];
