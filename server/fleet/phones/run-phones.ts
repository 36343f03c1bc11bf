import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ground/log/index.ts';
import { followHeartbeats } from '../../traffic/lanes/index.ts';
import { storeBalances } from './balance-store.ts';
import { readHeard, storeHeartbeats } from './heartbeat-store.ts';
import type { PhoneReport } from './phone-driver.ts';
import type { PhonesDeps } from './phones-deps.ts';
import { listPhones } from './store.ts';

/** Several times within the three minutes after which a phone is DOWN. */
const LOOK_EVERY_MS = 30_000;

/** Takes what phones tell about themselves. */
export const takeReports = ({ db }: Pick<PhonesDeps, 'db'>, reports: PhoneReport[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (reports.length === 0) return;
    const sorted = reports.toSorted((a, b) => (a.phoneId < b.phoneId ? -1 : 1));
    await storeHeartbeats(trx, sorted);
    const known = sorted.flatMap(({ phoneId, balanceMicros, at }) =>
      balanceMicros === undefined ? [] : [{ phoneId, balanceMicros, at, kind: 'reported' as const }],
    );
    if (known.length > 0) await storeBalances(trx, known);
  });

/** The lanes of phones that were not heard of lately are down. */
export const watchHeartbeats = async ({ db }: Pick<PhonesDeps, 'db'>): Promise<void> => {
  const { true: heard = [], false: silent = [] } = Object.groupBy(
    await readHeard(db),
    (phone) => `${phone.heard}` as 'true' | 'false',
  );
  await followHeartbeats(db, { silent: silent.map(({ id }) => id), heard: heard.map(({ id }) => id) });
};

/** Asks how the phones are that no agent tells of, as long as the process runs; several processes may do so concurrently. */
export const runPhones = (
  deps: Omit<PhonesDeps, 'agents'> & { log: Pick<Log, 'warn'> },
  everyMs = LOOK_EVERY_MS,
) => {
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    const phones = (await listPhones(deps.db)).filter(({ agentId }) => agentId === null);
    await takeReports(deps, await deps.driver.look(phones));
    await watchHeartbeats(deps);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch((error) => deps.log.warn({ err: error }, 'phones were not looked at'));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: (): Promise<void> => {
      stopping.abort();
      return running;
    },
  };
};
