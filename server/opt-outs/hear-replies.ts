import { optOut } from './opt-out.ts';
import { optOutKey } from './opt-out-key.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { type Addressee, deleteOptOuts } from './store.ts';
import { readWish, type Wish } from './wish.ts';

/** A reply to an account. */
interface Reply extends Addressee {
  text: string;
}

/**
 * Does what the keywords STOP and START ask for, within the transaction that stores the replies. If a recipient sent
 * several, the last counts.
 */
export const hearReplies = async (deps: OptOutsDeps, replies: Reply[]): Promise<void> => {
  const wishes = new Map<string, { addressee: Addressee; wish: Wish }>();
  for (const { text, ...addressee } of replies) {
    const wish = readWish(text);
    if (!wish) continue;
    const { accountId, channel, recipient } = addressee;
    wishes.set([accountId, channel, optOutKey(channel, recipient)].join(), { addressee, wish });
  }
  const wishing = (wanted: Wish) =>
    [...wishes.values()].filter(({ wish }) => wish === wanted).map(({ addressee }) => addressee);
  const [leaving, returning] = [wishing('out'), wishing('in')];
  if (leaving.length > 0)
    await optOut(
      deps,
      leaving.map((addressee) => ({ ...addressee, source: 'REPLY' as const, note: '' })),
    );
  if (returning.length > 0) await deleteOptOuts(deps.db, returning);
};
