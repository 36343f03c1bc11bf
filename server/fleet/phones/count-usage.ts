import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { localTime, momentOf } from '../../ground/local-time/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { readPhoneLanes } from '../../traffic/lanes/index.ts';
import { readLaneDays } from '../../traffic/outbox/index.ts';
import { lockCounting, type PhoneDay, storeDays } from './usage-store.ts';

const DAY_MS = 86_400_000;
/** Counts of earlier days hardly change any more. */
const DAYS_BACK = 2;

/** Counts anew what phones sent, from a day on. */
export const countUsage = (db: Db, { daysBack = DAYS_BACK, now = new Date() } = {}): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockCounting(trx))) return;
    const phoneOf = new Map((await readPhoneLanes(trx)).map(({ id, phoneId }) => [id, phoneId]));
    if (phoneOf.size === 0) return;
    const day = localTime(new Date(now.getTime() - daysBack * DAY_MS), DEFAULT_TIME_ZONE).slice(0, 10);
    const from = momentOf(`${day}T00:00:00`, DEFAULT_TIME_ZONE) ?? now;
    const counted = await readLaneDays(trx, [...phoneOf.keys()], { from, timeZone: DEFAULT_TIME_ZONE });
    const days = new Map<string, PhoneDay>();
    for (const { laneId, day: of, sent, net, costMicros } of counted) {
      const phoneId = phoneOf.get(laneId) ?? '';
      const key = `${phoneId} ${of}`;
      const sum = days.get(key) ?? { phoneId, day: of, sent: 0, net: 0, costMicros: 0n };
      days.set(key, {
        ...sum,
        sent: sum.sent + sent,
        net: sum.net + net,
        costMicros: sum.costMicros + BigInt(costMicros),
      });
    }
    await storeDays(trx, [...days.values()]);
  });
