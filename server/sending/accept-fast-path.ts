import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import { insertingMessages, insertingPaidBatches, type NewMessage } from '../outbox/index.ts';
import { prepared, steadyOf } from '../postgres/index.ts';
import { captures, readCapture } from '../wallet/index.ts';
import { type Group, type Paid, spendOf, unpaid } from './debit.ts';
import type { MessagesDeps } from './sending-deps.ts';

/** What `require_plain` raises. */
const NOT_PLAIN = 'PH001';
/** After something was not plain the next flushes go the long way at once, instead of trying in vain. */
const REST_MS = 250;

interface Priced {
  priceMicros: bigint;
}

interface Flush<M> {
  groups: Group<M>[];
  messages: NewMessage[];
}

const isPlain = <M extends Priced>(groups: Paid<M>[], isTold: MessagesDeps['isTold']): boolean => {
  const accountIds = groups.map(({ batch }) => batch.accountId);
  return (
    new Set(accountIds).size === accountIds.length &&
    groups.every(({ batch, totalMicros }) => totalMicros > 0n && !batch.schedule) &&
    !isTold(accountIds)
  );
};

/**
 * Pays for single messages and stores them in one statement, which is a transaction of its own: most flushes are so
 * plain, and the way to the database and back costs more than what is done there. One in which a balance does not
 * suffice or causes work, or an account has opt-outs that nobody knew of, is answered by nothing: it left nothing
 * behind, and is for the long way.
 */
export const openAtOnce = ({ db, optOuts, havingOptOuts, isTold, wake }: MessagesDeps) => {
  let restUntil = 0;

  return async <M extends Priced>({ groups, messages }: Flush<M>): Promise<Paid<M>[] | undefined> => {
    const paid = groups.map(unpaid);
    if (performance.now() < restUntil || !isPlain(paid, isTold)) return undefined;
    const batches = groups.map(({ batch }) => batch);
    const unasked = new Set(batches.map(({ accountId }) => accountId)).difference(havingOptOuts);
    const statement = sql<Parameters<typeof readCapture>[0] & { account_id: AccountId }>`
      ${prepared('accept-at-once')}
      with captured as materialized (${captures(paid.map(spendOf))}),
        asked as materialized (${optOuts.having([...unasked])}),
        made as (${insertingPaidBatches(
          paid.map(({ batch, members, totalMicros }) => ({
            ...batch,
            accepted: members.length,
            totalMicros,
          })),
        )}), put as (${insertingMessages(batches, messages)})
      select captured.*, require_plain(outcome = 'posted' and not top_up_due and not balance_low
        and not exists (select from asked)) from captured`;
    try {
      const { rows } = await statement.execute(steadyOf(db));
      const byAccount = new Map(rows.map((row) => [row.account_id, readCapture(row)]));
      for (const group of paid) {
        const { entryId, balanceMicros } = byAccount.get(group.batch.accountId) ?? {};
        if (entryId === undefined || balanceMicros === undefined) throw new Error('a batch was not paid');
        Object.assign(group, { captureId: entryId, balanceMicros });
      }
    } catch (error) {
      if ((error as { code?: string }).code !== NOT_PLAIN) throw error;
      restUntil = performance.now() + REST_MS;
      return undefined;
    }
    // Lanes look for themselves every second: one that does not hear of it loses no more than that.
    const laneIds = new Set(messages.flatMap(({ laneId }) => laneId ?? []));
    void wake(db, [...laneIds], { singles: true }).catch(() => {});
    return paid;
  };
};
export type AtOnce = ReturnType<typeof openAtOnce>;
