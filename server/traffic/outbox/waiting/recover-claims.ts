import { type Db, indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import { type Lease, noteSends, type SendOutcome, type SentPart } from '../../lanes/index.ts';
import type { Publisher } from '../outbox-event.ts';
import { recordEarlyReceipts } from '../results/record-receipts.ts';
import { recordResults, resultOf } from '../results/record-results.ts';
import { sendsOf } from '../results/result-store.ts';
import { type Attempted, takeLeftClaims } from './claimed-store.ts';
import { waitAgain } from './wait-again.ts';

/** What became of a message that a dead worker had claimed; `at` is when the carrier answered, in milliseconds. */
export type Fate =
  | 'never handed over'
  | 'not answered'
  | { outcome: SendOutcome; at: number }
  /** What was noted of the parts of one that was not answered. */
  | { parts: SentPart[] };

export interface Recovered {
  /** Messages that were never handed over; they wait again. */
  waiting: number;
  /** The carrier had answered. */
  answered: number;
  unknown: number;
}

const UNANSWERED = {
  outcome: 'unknown' as const,
  reason: 'The worker ended before the carrier answered.',
};

interface Recovery {
  /** Of workers that are certainly gone. */
  leases: Lease[];
  fateOf: (message: Pick<Attempted, 'id' | 'attempts'>) => Fate;
  publisher: Publisher;
}

/** Settles what dead workers had claimed by what is known of it, all in one transaction; a second call finds nothing. */
export const recoverClaims = (db: Db, { leases, fateOf, publisher }: Recovery): Promise<Recovered> =>
  indexOnlyTransaction(db, async (trx) => {
    const left = (await takeLeftClaims(trx, leases)).map((message) => ({ message, fate: fateOf(message) }));
    const waiting = left.filter(({ fate }) => fate === 'never handed over').map(({ message }) => message);
    const results = left.flatMap(({ message, fate }) => {
      if (fate === 'never handed over') return [];
      if (fate !== 'not answered' && 'outcome' in fate) return [resultOf(message, fate.outcome, fate.at)];
      return [resultOf(message, fate === 'not answered' ? UNANSWERED : { ...UNANSWERED, parts: fate.parts })];
    });
    const keys = await recordResults(trx, { results, publisher });
    await recordEarlyReceipts(trx, { keys, publisher });
    await noteSends(trx, sendsOf(results));
    await waitAgain(trx, waiting);
    const unknown = results.filter((result) => result.unknown).length;
    return { waiting: waiting.length, answered: results.length - unknown, unknown };
  });
