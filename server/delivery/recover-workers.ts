import { type DeadJournal, findDeadJournals, keyOf } from '../journal/index.ts';
import { endWorker, isJournaled, readHeldLanes } from '../lanes/index.ts';
import { type Fate, type OutboxDeps, type Recovered, recoverClaims } from '../outbox/index.ts';

type RecoverDeps = Pick<OutboxDeps, 'db' | 'log' | 'publisher'>;

const recoverBy = async (
  { db, publisher }: RecoverDeps,
  workerId: string,
  handed: NonNullable<DeadJournal['handed']>,
): Promise<Recovered> => {
  const held = await readHeldLanes(db, workerId);
  return recoverClaims(db, {
    leases: [...held].map(([laneId, holder]) => ({ laneId, holder })),
    publisher,
    fateOf: (message): Fate => {
      const key = keyOf(message);
      return handed.has(key) ? (handed.get(key) ?? 'not answered') : 'never handed over';
    },
  });
};

/**
 * Workers of this machine that ended without a word: what their journals say of their claims is stored, and their lanes
 * are free at once. Of a worker whose journal is missing or not complete the claims become unknown when its lanes are
 * taken.
 */
export const recoverWorkers = async (deps: RecoverDeps, journalFolder: string): Promise<void> => {
  const { db, log } = deps;
  for (const { workerId, handed, remove } of await findDeadJournals(journalFolder)) {
    if (handed && (await isJournaled(db, workerId))) {
      const recovered = await recoverBy(deps, workerId, handed);
      log.warn({ worker: workerId, ...recovered }, 'a worker that ended was recovered by its journal');
    }
    // Only now: until then no other worker may take its lanes and find claims that nobody can explain.
    await endWorker(db, workerId);
    await remove();
  }
};
