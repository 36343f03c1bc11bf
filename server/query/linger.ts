import type { Log } from '../log/index.ts';
import type { Db } from '../postgres/index.ts';
import { text } from '../translations/index.ts';
import type { Asker, Turns } from './ask.ts';
import type { Reader } from './reader.ts';
import { type Lingering, untilGone } from './see-ended.ts';
import { endLeft, type LeftQuery, listLeft, noteLingering } from './store.ts';
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

interface Whose extends Pick<Asker, 'accountId'> {
  zone: Zone;
  /** Lists have none. */
  queryId?: string | undefined;
}

/** What goes on in a database although its end was told: it is watched until it is gone, over a restart too. */
export const openLinger = ({ db, log, turns, takePlace, readerOf, zones, signal }: LingerDeps) => {
  /** Statements of this process: nobody has left them. */
  const own = new Set<string>();

  const begin = async ({ accountId, zone, queryId }: Whose, lingering: Lingering): Promise<void> => {
    turns.take(accountId, lingering);
    const { backend, since } = lingering;
    const of = { zone: zone.id, query: queryId, backend, since };
    log.error(of, `ALARM a statement goes on in the database of the zone ${zone.name}: docs/RUNBOOK.md`);
    void lingering.gone.then(() => log.info(of, 'a statement that went on in its database is gone'));
    if (queryId !== undefined) await noteLingering(db, queryId, { backend, since });
  };

  /** A service before this one has left it as running. */
  const settle = async ({ id, accountId, zoneId, database, backend, since }: LeftQuery): Promise<void> => {
    const zone = zones.find((one) => one.id === zoneId);
    const end = () => endLeft(db, id, text('en_US', 'query.left'));
    if (!zone || backend === null) return end();
    const reader = await readerOf(zone);
    const isThere = () => zone.own?.isThere(backend) ?? reader.isAtWork({ database, backend });
    if (!(await isThere().catch(() => true))) return end();
    // Whose service has died is not asked for its reasons.
    if (zone.own && (await zone.own.kill(backend).catch(() => false))) return end();
    own.add(id);
    const gone = untilGone(isThere, { signal });
    const whose = { accountId: accountId ?? undefined, zone, queryId: id };
    try {
      void gone.then(takePlace(zone, accountId ?? ''));
    } catch {
      // No place is left: then nobody else gets one either.
    }
    void gone
      .then(end)
      .finally(() => own.delete(id))
      .catch((error) => log.error({ err: error }, 'query'));
    await begin(whose, { database, backend, since, gone });
  };

  return {
    begin,
    own,
    /** At a start, and once more when all that another service may have had is old. */
    resume: async (leftMs: number): Promise<void> => {
      for (const left of await listLeft(db, leftMs))
        if (!own.has(left.id)) await settle(left).catch((error) => log.error({ err: error }, 'query'));
    },
  };
};
