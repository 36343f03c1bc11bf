import { attemptKey, type DeadJournal, findDeadJournals } from '../journal/index.ts';
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
      const known = handed.get(attemptKey(message));
      if (!known || known.parts?.every(({ state }) => state === 'waiting')) return 'never handed over';
      if (known.answer) return known.answer;
      // A single part means that the message was retried as a whole.
      return known.parts && known.parts.length > 1 ? { parts: known.parts } : 'not answered';
    },
  });
};

const recoverOne = async (deps: RecoverDeps, { workerId, handed, remove }: DeadJournal): Promise<void> => {
  const { db, log } = deps;
  if (handed && (await isJournaled(db, workerId))) {
    const recovered = await recoverBy(deps, workerId, handed);
    if (Object.values(recovered).some((count) => count > 0))
      log.warn({ worker: workerId, ...recovered }, 'a worker that ended was recovered by its journal');
  }
  // The lanes are released last: before that, another worker would take them and mark their claims as unknown.
  await endWorker(db, workerId);
  await remove();
};

/**
 * Workers of this machine that ended without a word: what their journals say of their claims is stored, and their lanes
 * are free at once. Of a worker whose journal is missing or not complete the claims become unknown when its lanes are
 * taken.
 */
export const recoverWorkers = async (deps: RecoverDeps, journalFolder: string): Promise<void> => {
  for (const journal of await findDeadJournals(journalFolder))
    await recoverOne(deps, journal).catch((error) =>
      // The next look is the retry; when the lease has ended, its claims are unknown.
      deps.log.warn(
        { err: error, worker: journal.workerId },
        'a worker could not be recovered by its journal',
      ),
    );
};
