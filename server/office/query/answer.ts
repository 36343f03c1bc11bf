import type { QueryFault, QueryOutcome } from '../../../contract/office/query.ts';
import { type Label, text } from '../../ground/translations/index.ts';
import type { Asker } from './ask.ts';
import type { ReadOutcome } from './reader.ts';

export type ServiceAnswer<T> =
  | { data: T; msg: string; success: true }
  | { data: QueryFault | null; msg: string; success: false };

type Reading = Pick<Asker, 'language'>;

export const success = <T>(data: T): ServiceAnswer<T> => ({ data, msg: '', success: true });

export const refusal = (
  { language }: Reading,
  label: Label,
  params = {},
  position?: number,
): ServiceAnswer<never> => ({
  data: { outcome: 'refused', position: position ?? null },
  msg: text(language, label, params),
  success: false,
});

/** Times are in UTC, because the service does not know the reader's time zone. */
export const clockOf = (moment: Date): string => `${moment.toISOString().slice(11, 19)} UTC`;

/** Anything but rows, in the reader's language; what the database said is repeated as it is. */
export const failedAnswer = (
  { language }: Reading,
  outcome: Exclude<ReadOutcome, { kind: 'done' }>,
  timeoutMs: number,
): ServiceAnswer<never> => {
  const say = (label: Label, params = {}) => text(language, label, params);
  const fault = (of: QueryOutcome, msg: string, position?: number): ServiceAnswer<never> => ({
    data: { outcome: of, position: position ?? null },
    msg,
    success: false,
  });
  switch (outcome.kind) {
    case 'cancelled':
      return fault('cancelled', say('query.cancelled'));
    case 'timed_out':
      return fault('timed_out', say('query.timed_out', { seconds: timeoutMs / 1000 }));
    case 'lingering':
      return {
        data: { outcome: 'running', position: null, since: outcome.since.toISOString() },
        msg: say('query.lingering', { since: clockOf(outcome.since) }),
        success: false,
      };
    case 'untraceable':
      return fault('refused', say('query.refused.secret', { detail: outcome.what }));
    case 'unsafe':
      return fault('refused', say('query.unsafe', { reason: outcome.message }));
    case 'failed':
      // A statement is run again only once, whatever ended it the second time.
      if (outcome.again && outcome.lost) return fault('failed', say('query.ended_twice'));
      return fault('failed', outcome.message, outcome.position);
  }
};
