import type { NewMessage } from '../outbox/index.ts';
import { type Group, type Paid, unpaid } from './debit.ts';
import { acceptInOneStatement, isNotFastPath } from './fast-path-store.ts';
import type { SendingDeps } from './sending-deps.ts';

/** After a flush did not fit the fast path, the next ones take the general path directly for this long. */
const REST_MS = 250;

interface Priced {
  priceMicros: bigint;
}

interface Flush<M> {
  groups: Group<M>[];
  messages: NewMessage[];
}

const fitsFastPath = <M extends Priced>(
  groups: Paid<M>[],
  hasSubscriber: SendingDeps['hasSubscriber'],
): boolean => {
  const accountIds = groups.map(({ batch }) => batch.accountId);
  return (
    new Set(accountIds).size === accountIds.length &&
    groups.every(({ batch, totalMicros }) => totalMicros > 0n && !batch.schedule) &&
    !hasSubscriber(accountIds)
  );
};

/**
 * Pays for single messages and stores them in one statement, which is a transaction of its own: the round trip to the
 * database costs more than the work there. Returns undefined when nothing was stored and the caller has to take the
 * general path: a balance does not suffice or causes other work, or an account turned out to have opt-outs.
 */
export const openFastPath = ({ db, optOuts, havingOptOuts, hasSubscriber, wake }: SendingDeps) => {
  let restUntil = 0;

  return async <M extends Priced>({ groups, messages }: Flush<M>): Promise<Paid<M>[] | undefined> => {
    const paid = groups.map(unpaid);
    if (performance.now() < restUntil || !fitsFastPath(paid, hasSubscriber)) return undefined;
    const batches = groups.map(({ batch }) => batch);
    const unasked = [...new Set(batches.map(({ accountId }) => accountId)).difference(havingOptOuts)];
    try {
      const captured = await acceptInOneStatement(db, { paid, batches, messages, unasked, optOuts });
      for (const group of paid) {
        const { entryId, balanceMicros } = captured.get(group.batch.accountId) ?? {};
        if (entryId === undefined || balanceMicros === undefined) throw new Error('a batch was not paid');
        Object.assign(group, { captureId: entryId, balanceMicros });
      }
    } catch (error) {
      if (!isNotFastPath(error)) throw error;
      restUntil = performance.now() + REST_MS;
      return undefined;
    }
    // Lanes also poll every second, so a lost wake signal costs no more than that.
    const laneIds = new Set(messages.flatMap(({ laneId }) => laneId ?? []));
    void wake(db, [...laneIds], { singles: true }).catch(() => {});
    return paid;
  };
};
export type FastPath = ReturnType<typeof openFastPath>;
