import { DomainError } from '../../ground/domain-error.ts';
import type { Log } from '../../ground/log/index.ts';
import { failedAnswer, refusal, type ServiceAnswer } from './answer.ts';
import type { Asker } from './ask.ts';
import { type Ended, endedOf, type Worked } from './ended-call.ts';
import type { openLinger } from './linger.ts';
import type { OpenedZones } from './opened-zones.ts';
import type { Reader } from './reader.ts';
import { type Lingering, seeEnded } from './see-ended.ts';
import type { Zone } from './zones.ts';

interface WithinDeps {
  zones: Pick<OpenedZones, 'find' | 'readerOf'>;
  linger: Pick<ReturnType<typeof openLinger>, 'begin'>;
  log: Log;
  /** What was left has its turns and places before anybody asks. */
  resumed: Promise<void>;
  /** Ended by the end of this process. */
  signal: AbortSignal;
  /** A statement of this query ended everybody's. */
  onKilled: (asker: Asker, queryId: string) => Promise<void>;
  timeoutMs: number;
  graceMs?: number | undefined;
}

interface Where {
  zoneId: number;
  database?: string;
  /** How many it works with at one moment. */
  connections?: number;
  /** Lists have none. */
  queryId?: string;
}

/** Works with so many connections to a zone, if there is room for them. */
export const openWithin =
  ({ zones, linger, log, resumed, signal, onKilled, timeoutMs, graceMs }: WithinDeps) =>
  async <T>(
    asker: Asker,
    { zoneId, database, connections = 1, queryId }: Where,
    work: (reader: Reader, zone: Zone) => Promise<Worked<T>>,
  ): Promise<Ended<T>> => {
    const lingering: Lingering[] = [];
    const tell = (error: unknown) => log.error({ err: error }, 'query');
    const refused = (answer: ServiceAnswer<never>) => endedOf({ answer }, lingering);
    const found = zones.find(zoneId);
    if (!found) return refused(refusal(asker, 'query.no_zone', { zone: zoneId }));
    const { zone, places } = found;
    if (database !== undefined && zone.databases.length > 0 && !zone.databases.includes(database))
      return refused(refusal(asker, 'query.no_database', { database }));
    const held = new DisposableStack();
    await resumed;
    try {
      const { accountId: key = '', hungUp } = asker;
      held.defer(await places.take({ key, count: connections, signal: hungUp }));
      const reader = seeEnded(await zones.readerOf(zone), zone.own, {
        signal,
        graceMs,
        onKilled: async () => {
          log.warn({ zone: zone.id, query: queryId }, 'a statement that heard no cancel was ended by force');
          if (queryId !== undefined) await onKilled(asker, queryId).catch(tell);
        },
        onLingering: (one) => {
          lingering.push(one);
          return linger.begin({ ...asker, zone, queryId }, one).catch(tell);
        },
      });
      return endedOf(await work(reader, zone), lingering);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (asker.hungUp.aborted) return refused(failedAnswer(asker, { kind: 'cancelled' }, timeoutMs));
      return refused(refusal(asker, `error.${error.code}`));
    } finally {
      // What goes on keeps its place.
      if (lingering.length === 0) held.dispose();
      else void Promise.all(lingering.map(({ gone }) => gone)).then(() => held.dispose());
    }
  };

export type Within = ReturnType<typeof openWithin>;
