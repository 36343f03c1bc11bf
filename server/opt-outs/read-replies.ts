import { type Keyword, readKeyword } from './keyword.ts';
import { optOut } from './opt-out.ts';
import { optOutKey } from './opt-out-key.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { type Addressee, deleteOptOuts } from './store.ts';

/** A reply to an account. */
interface Reply extends Addressee {
  text: string;
  /** It answers a message that was sent with the test secret. */
  free: boolean;
}

/**
 * Does what the keywords STOP and START ask for, within the transaction that stores the replies. If a recipient sent
 * several, the last counts.
 */
export const readReplies = async (deps: OptOutsDeps, replies: Reply[]): Promise<void> => {
  const keywords = new Map<string, { addressee: Addressee; keyword: Keyword }>();
  for (const { text, free, ...addressee } of replies) {
    // A simulator made it up: it must not keep anybody from real messages.
    const keyword = free ? undefined : readKeyword(text);
    if (!keyword) continue;
    const { accountId, channel, recipient } = addressee;
    keywords.set([accountId, channel, optOutKey(channel, recipient)].join(), { addressee, keyword });
  }
  const wishing = (wanted: Keyword) =>
    [...keywords.values()].filter(({ keyword }) => keyword === wanted).map(({ addressee }) => addressee);
  const [leaving, returning] = [wishing('out'), wishing('in')];
  if (leaving.length > 0)
    await optOut(
      deps,
      leaving.map((addressee) => ({ ...addressee, source: 'REPLY' as const, note: '' })),
    );
  if (returning.length > 0) await deleteOptOuts(deps.db, returning);
};
