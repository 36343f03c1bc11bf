import { numberFromMicros } from '../../contract/money.ts';
import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { readWallets } from '../wallet/index.ts';
import { listAccounts } from './store.ts';

/** The newest; a bound, so that one call can't take all memory. */
const LISTED = 10_000;

export const adminAccountRoutes = ({ db, listed = LISTED }: { db: Db; listed?: number }): CallerRoutes => ({
  'GET /accounts': async () => {
    const found = await listAccounts(db, listed + 1);
    const accounts = found.slice(0, listed);
    const wallets = await readWallets(
      db,
      accounts.map(({ id }) => id),
    );
    const walletOf = new Map(wallets.map((wallet) => [wallet.accountId, wallet]));
    return {
      more: found.length > listed,
      accounts: accounts.flatMap(({ id, formerEmail, activatedAt, closedAt, ...account }) => {
        const wallet = walletOf.get(id);
        if (!wallet) return [];
        const email = formerEmail ?? account.email;
        return {
          _id: id,
          email,
          username: email.slice(0, email.lastIndexOf('@')),
          balance: numberFromMicros(wallet.balanceMicros),
          currency: wallet.currency,
          active: activatedAt !== null && closedAt === null,
          closedAt: closedAt?.toISOString() ?? null,
        };
      }),
    };
  },
});
