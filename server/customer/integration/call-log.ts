import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openBatcher } from '../../ground/batching/index.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { newId } from '../../ground/postgres/index.ts';
import { apiCallLine, packLines } from './call-pack.ts';
import type { MadeCall } from './made-call.ts';
import { type CallPack, insertPacks } from './store.ts';

/**
 * As many as a busy second brings: an account's calls are packed together, and packing a few costs as much as packing
 * many.
 */
const MAX_ITEMS = 5_000;
const MAX_DELAY_MS = 1_000;
/** About 20 MB. Under overload the oldest are dropped: a log must not take the memory that sending needs. */
const MAX_WAITING = 20_000;
const DROP_ITEMS = 500;

export interface CallLog {
  /**
   * Called after the answer. The answer is masked immediately: waiting calls as plain strings cost the garbage
   * collector least.
   */
  add: (call: MadeCall) => void;
  /** Writes what waits, and accepts nothing more. */
  close: () => Promise<void>;
}

interface CallLogDeps {
  db: Db;
  log: Pick<Log, 'warn'>;
}

interface Waiting extends Pick<MadeCall, 'accountId' | 'atMs' | 'status'> {
  line: string;
}

const packOf = async (accountId: AccountId, calls: Waiting[]): Promise<CallPack> => {
  const count = (from: number, below: number) =>
    calls.filter(({ status }) => status >= from && status < below).length;
  return {
    accountId,
    id: newId(),
    lastAtMs: Math.max(...calls.map(({ atMs }) => atMs)),
    succeeded: count(0, 400),
    refused: count(400, 500),
    failed: count(500, 1000),
    calls: await packLines(calls.map(({ line }) => line)),
  };
};

/** Gathers calls and writes them in bulk, those of one account as one row. */
export const openCallLog = ({ db, log }: CallLogDeps, maxWaiting = MAX_WAITING): CallLog => {
  let dropped = 0;
  let closed = false;

  const write = async (calls: Waiting[]): Promise<void> => {
    const byAccount = Map.groupBy(calls, ({ accountId }) => accountId);
    const packs: CallPack[] = [];
    // One after the other: compressing takes memory, and several at the same time make V8 collect all garbage each
    // time.
    for (const [accountId, theirs] of byAccount) packs.push(await packOf(accountId, theirs));
    await insertPacks(db, packs);
  };

  const batcher = openBatcher<Waiting>({
    maxItems: MAX_ITEMS,
    maxDelayMs: MAX_DELAY_MS,
    overflow: {
      maxWaiting,
      dropItems: DROP_ITEMS,
      onDrop: (count) => {
        dropped += count;
      },
    },
    flush: async (calls) => {
      try {
        await write(calls);
      } catch (error) {
        log.warn({ err: error, calls: calls.length }, 'API calls were not logged');
      }
      if (dropped > 0) log.warn({ calls: dropped }, 'API calls were not logged: too many at once');
      dropped = 0;
    },
  });

  return {
    add: (call) => {
      if (closed) return;
      const { accountId, atMs, status } = call;
      batcher.put({ accountId, atMs, status, line: apiCallLine(call) });
    },
    close: async () => {
      closed = true;
      await batcher.drain();
    },
  };
};
