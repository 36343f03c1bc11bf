import type { Db } from '../../ground/postgres/index.ts';
import {
  countRecipients,
  type LaneInUse,
  openThrottle,
  readLaneSends,
  THROTTLE_WINDOWS,
  type Throttle,
  type ThrottleLimits,
  throttleLimits,
} from '../lanes/index.ts';
import type { LaneLoad } from './lane-facts.ts';

const MINUTE_MS = 60_000;
/** Later than this, hardly anything is added to a minute. */
const OPEN_MINUTES = 2;
/** So that every window is counted, whatever the lane's limits are or become. */
const COUNT_ALL: ThrottleLimits = {
  tenMinutes: Number.POSITIVE_INFINITY,
  oneHour: Number.POSITIVE_INFINITY,
  eightHours: Number.POSITIVE_INFINITY,
  oneDay: Number.POSITIVE_INFINITY,
};

/** How many messages wait in each of these lanes, up to a limit. */
export type CountWaiting = (db: Db, laneIds: number[], limit: number) => Promise<ReadonlyMap<number, number>>;

const mostOf = (lane: LaneInUse): number =>
  Math.max(
    2 * (lane.phone?.idealVolume ?? 0),
    ...Object.values(throttleLimits(lane)).map((limit: number | null) => limit ?? 0),
  );

/**
 * What throttled lanes have sent and still have to send. A lane's whole day is read once, then only what is new: the
 * minutes that are over are remembered.
 */
export const openLoads = (db: Db, countWaiting: CountWaiting) => {
  let remembered = new Map<number, Throttle>();
  let upTo = new Date(0);

  return async (lanes: LaneInUse[], nowMs: number): Promise<Map<number, LaneLoad>> => {
    const throttled = lanes.filter(
      (lane) => lane.phone || THROTTLE_WINDOWS.some((window) => throttleLimits(lane)[window] !== null),
    );
    const ids = throttled.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const known = ids.filter((id) => remembered.has(id));
    const fresh = ids.filter((id) => !remembered.has(id));
    const read = new Map([
      ...(known.length > 0 ? await readLaneSends(db, known, { after: upTo }) : []),
      ...(fresh.length > 0 ? await readLaneSends(db, fresh) : []),
    ]);
    const waiting = await countWaiting(db, ids, Math.max(...throttled.map(mostOf)));
    const budgeted = lanes.flatMap(({ id, phone }) => (phone?.mostRecipients ? [id] : []));
    const recipients = budgeted.length > 0 ? await countRecipients(db, budgeted) : new Map<number, number>();
    // A slow read may overlap with the next one, so a minute that is remembered already is not added again.
    const noted = +upTo;
    const over = Math.max(noted, (Math.floor(nowMs / MINUTE_MS) - OPEN_MINUTES) * MINUTE_MS);
    const throttles = new Map(
      ids.map((id) => [id, remembered.get(id) ?? openThrottle({ limits: COUNT_ALL })]),
    );
    const loads = new Map<number, LaneLoad>();
    for (const [id, throttle] of throttles) {
      const minutes = read.get(id) ?? [];
      const after = remembered.has(id) ? noted : 0;
      for (const { minute, sent } of minutes)
        if (+minute > after && +minute <= over) throttle.note(+minute, sent);
      const recent = minutes.reduce((sum, { minute, sent }) => (+minute > over ? sum + sent : sum), 0);
      const { tenMinutes, oneHour, eightHours, oneDay } = throttle.sent(nowMs);
      loads.set(id, {
        sent: {
          tenMinutes: tenMinutes + recent,
          oneHour: oneHour + recent,
          eightHours: eightHours + recent,
          oneDay: oneDay + recent,
        },
        waiting: waiting.get(id) ?? 0,
        recipients: recipients.get(id) ?? 0,
      });
    }
    remembered = throttles;
    upTo = new Date(over);
    return loads;
  };
};
