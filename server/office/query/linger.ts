import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { text } from '../../ground/translations/index.ts';
import type { Asker, Turns } from './ask.ts';
import { quietFor } from './next-look.ts';
import type { Reader } from './reader.ts';
import { type Lingering, waitUntilGone } from './see-ended.ts';
import { endLeft, insertQuery, type LeftQuery, listLeft, noteLingering } from './store.ts';
import type { Zone } from './zones.ts';

export interface LingerDeps {
  db: Db;
  log: Log;
  turns: Turns;
  /** Takes a place of the zone, and answers how to give it back. */
  takePlace: (zone: Zone, key: string) => () => void;
  readerOf: (zone: Zone) => Promise<Reader>;
  zones: Zone[];
  signal: AbortSignal;
}

interface Whose {
  zone: Zone;
  queryId: string;
}
interface Begun extends Pick<Asker, 'accountId'> {
  zone: Zone;
  /** Lists have none. */
  queryId?: string | undefined;
}

/** How long to ask whether a statement is still running: one that is over must not take its admin's turn. */
const FIRST_LOOK_MS = 1_000;

const tell = async (
  { db, log }: Pick<LingerDeps, 'db' | 'log'>,
  { zone, queryId }: Whose,
  lingering: Lingering,
): Promise<void> => {
  const { backend, since } = lingering;
  const of = { zone: zone.id, query: queryId, backend, since };
  log.error(of, `ALARM a statement goes on in the database of the zone ${zone.name}: docs/RUNBOOK.md`);
  void lingering.gone.then(() => log.info(of, 'a statement that went on in its database is gone'));
  await noteLingering(db, queryId, { backend, since });
};

const isOverIn = (ms: number, gone: Promise<void>, signal: AbortSignal): Promise<boolean> =>
  Promise.race([gone.then(() => true), sleep(ms, false, { signal, ref: false }).catch(() => true)]);

/** What goes on in a database although its end was told: it is watched until it is gone, over a restart too. */
export const openLinger = (deps: LingerDeps) => {
  const { db, log, turns, takePlace, readerOf, zones, signal } = deps;
  /** Statements of this process are still watched by it. */
  const own = new Set<string>();
  const fail = (error: unknown) => log.error({ err: error }, 'query');

  /** Once it is gone, and not before. */
  const endWhenGone = (id: string, gone: Promise<void>, why: string): void => {
    own.add(id);
    void gone
      .then(() => endLeft(db, id, why))
      .finally(() => own.delete(id))
      .catch(fail);
  };

  const begin = async ({ accountId, zone, queryId }: Begun, lingering: Lingering): Promise<void> => {
    turns.take(accountId, lingering);
    if (queryId !== undefined) return tell(deps, { zone, queryId }, lingering);
    // A list has no record before it goes on, and then one by which it is found again.
    const { database, gone } = lingering;
    const sql = `-- list of ${database === '' ? 'databases' : 'tables'}`;
    const id = await insertQuery(db, { accountId, zoneId: zone.id, database, sql });
    endWhenGone(id, gone, '');
    await tell(deps, { zone, queryId: id }, lingering);
  };

  /** A service before this one has left it as running. */
  const settle = async (
    { id, accountId, zoneId, database, backend, ...left }: LeftQuery,
    aliveMs: number,
  ): Promise<void> => {
    const why = text('en_US', 'query.left');
    const zone = zones.find((one) => one.id === zoneId);
    if (!zone || backend === null) return endLeft(db, id, why);
    const isThere = async () =>
      zone.own ? zone.own.isThere(backend) : (await readerOf(zone)).isAtWork({ database, backend });
    // A statement left by a dead service is ended at once, without a grace period.
    await zone.own?.kill(backend).catch(() => false);
    const since = left.lingeringSince ?? left.createdAt;
    const gone = waitUntilGone(isThere, { signal });
    const lingering = { database, backend, since, gone };
    turns.take(accountId ?? undefined, lingering);
    try {
      void gone.then(takePlace(zone, accountId ?? ''));
    } catch {
      // No place is left: then nobody else gets one either.
    }
    endWhenGone(id, gone, why);
    if (await isOverIn(FIRST_LOOK_MS, gone, signal)) return;
    const quietMs = quietFor(left, { aliveMs, now: Date.now() });
    void isOverIn(quietMs, gone, signal)
      .then(async (over) => {
        if (!over) await tell(deps, { zone, queryId: id }, lingering);
      })
      .catch(fail);
  };

  return {
    begin,
    own,
    /**
     * At a start: resolves once what was left has its turns and places, or is over. And once more for what had no
     * backend then: by now no service that lives waits for it.
     */
    resume: async (aliveMs: number): Promise<void> => {
      const left = await listLeft(db, aliveMs);
      await Promise.all(left.filter(({ id }) => !own.has(id)).map((one) => settle(one, aliveMs).catch(fail)));
    },
  };
};
