import type { Db } from '../../../ground/postgres/index.ts';
import { RELEASE_DUE, type Schedule } from '../../outbox/index.ts';
import type { SendingDeps } from '../sending-deps.ts';

/**
 * When the transaction commits: wakes the lanes of messages to send now, and enqueues a task for the scheduled ones.
 */
export const dispatch = async (
  trx: Db,
  { queue, wake }: Pick<SendingDeps, 'queue' | 'wake'>,
  { laneIds, schedules }: { laneIds: ReadonlySet<number>; schedules: (Schedule | undefined)[] },
): Promise<void> => {
  if (laneIds.size > 0) await wake(trx, [...laneIds]);
  const moments = new Set(schedules.flatMap((schedule) => schedule?.at.getTime() ?? []));
  for (const moment of moments) await queue.send(RELEASE_DUE, {}, { db: trx, startAt: new Date(moment) });
};
