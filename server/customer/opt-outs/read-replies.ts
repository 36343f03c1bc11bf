import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { type Keyword, readKeyword } from './keyword.ts';
import { optOut } from './opt-out.ts';
import { optOutKey } from './opt-out-key.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { type Addressee, deleteOptOuts } from './store.ts';

/** What somebody wrote to a number of ours. */
interface Reply {
  /** The account that it belongs to, if any. */
  accountId: AccountId | undefined;
  channel: Channel;
  recipient: string;
  text: string;
  /** A simulator made it up. */
  simulated: boolean;
}

interface Wish {
  addressee: Addressee;
  keyword: Keyword;
  /** The reply was to this account, not to another one that uses the same number. */
  own: boolean;
}

/**
 * Does what the keywords STOP and START ask for, within the transaction that stores the replies: for every account that
 * uses the number, because whoever wrote can't tell them apart. If a recipient sent several, the last counts.
 */
export const readReplies = async <R extends Reply>(
  deps: OptOutsDeps & { usersOf: (reply: R) => Promise<AccountId[]> },
  replies: R[],
): Promise<void> => {
  const wishes = new Map<string, Wish>();
  for (const reply of replies) {
    // Nobody wrote it, whatever the message cost: it must keep no real person from messages once lanes are real.
    const keyword = reply.simulated ? undefined : readKeyword(reply.text);
    if (!keyword) continue;
    const { accountId: owner, channel, recipient } = reply;
    for (const accountId of new Set([...(owner ? [owner] : []), ...(await deps.usersOf(reply))]))
      wishes.set([accountId, channel, optOutKey(channel, recipient)].join(), {
        addressee: { accountId, channel, recipient },
        keyword,
        own: accountId === owner,
      });
  }
  const wishing = (wanted: Keyword, which: (wish: Wish) => boolean = () => true) =>
    [...wishes.values()]
      .filter((wish) => wish.keyword === wanted && which(wish))
      .map(({ addressee }) => addressee);
  const leaving = wishing('out');
  if (leaving.length > 0)
    await optOut(
      deps,
      leaving.map((addressee) => ({ ...addressee, source: 'REPLY' as const, note: '' })),
    );
  const returning = wishing('in', ({ own }) => own);
  if (returning.length > 0) await deleteOptOuts(deps.db, returning);
  // For the other accounts that use this number, only undoes an opt-out that an earlier STOP to it caused.
  const others = wishing('in', ({ own }) => !own);
  if (others.length > 0) await deleteOptOuts(deps.db, others, 'REPLY');
};
