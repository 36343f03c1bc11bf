import { walletMails } from '../mails/wallet-mails.ts';
import type { SpendDeps } from '../wallet-deps.ts';
import { insertRecaptures, type Recapture } from './ledger-store.ts';
import { acceptOutcome } from './post-entry.ts';

/**
 * Charges again what was refunded, such as messages that were sent after all; what is not refunded at this moment moves
 * nothing. Returns the items that their balance does not cover: they move nothing either. It is our decision and not
 * the customer's: it starts no automatic top-up and counts for no limit of the day.
 */
export const recapture = async (deps: SpendDeps, items: Recapture[]): Promise<Set<string>> => {
  if (items.length === 0) return new Set();
  const lacking = new Set<string>();
  for (const [at, outcome] of (await insertRecaptures(deps.db, items)).entries()) {
    const { accountId, item } = items[at] as Recapture;
    if (outcome.outcome === 'too-low') lacking.add(item);
    else acceptOutcome(outcome, `RECAPTURE of ${item}`);
    if (outcome.balance_low) await walletMails.request(deps, { kind: 'low-balance', accountId });
  }
  return lacking;
};
