import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Health } from '../endpoints/endpoint-store.ts';
import type { MailKind } from '../endpoints/webhook-mails.ts';
import type { DueEvent, EventOutcome } from '../events/due-event.ts';
import type { ReceiverAnswer } from '../receivers.ts';
import { isTooLarge } from './call-sizes.ts';
import { type RetryTiming, requestedPauseMs, retryDelayMs, retryPauseMs } from './retry-policy.ts';

export const isSuccess = ({ status }: ReceiverAnswer): boolean =>
  status !== null && status >= 200 && status < 300;

/** The receiver wants no more events, as Standard Webhooks defines it. */
const isGone = ({ status }: ReceiverAnswer): boolean => status === 410;

/** What becomes of an event; the events of one call are tried again together. */
export const outcomesOf = (
  events: DueEvent[],
  answer: ReceiverAnswer,
  timing: RetryTiming,
  now = Date.now(),
): EventOutcome[] => {
  const { retryAfterMs: _, ...given } = answer;
  const tried = { ...given, at: new Date(now) };
  if (isSuccess(answer))
    return events.map((event) => ({ event, state: 'DELIVERED', nextAt: null, answer: tried }));
  const retryAfterMs = requestedPauseMs(answer, timing);
  const attempts = Math.max(...events.map((event) => event.attempts));
  const ageMs = Math.min(...events.map((event) => event.ageMs)) + answer.milliseconds;
  const delayMs = isGone(answer)
    ? undefined
    : isTooLarge(answer, events.length)
      ? 0
      : retryDelayMs({ attempts, ageMs, retryAfterMs }, timing);
  return events.map((event) =>
    delayMs === undefined || event.ageMs + answer.milliseconds >= timing.giveUpMs
      ? { event, state: 'PARKED', nextAt: null, answer: tried }
      : { event, state: 'RETRYING', nextAt: new Date(now + delayMs), answer: tried },
  );
};

/** The state of the endpoint after this answer, and whether to mail its owner; undefined if it stays healthy. */
export const healthAfter = (
  before: Health,
  answer: ReceiverAnswer,
  timing: RetryTiming,
  now = Date.now(),
): (Health & { mail?: MailKind }) | undefined => {
  if (isSuccess(answer)) return before.failures === 0 ? undefined : healthy(before.accountId);
  // Several requests may be in flight when the first one is answered with 410, so the answer is recorded once.
  if (isGone(answer)) return before.goneAt ? undefined : { ...before, goneAt: new Date(now), mail: 'gone' };
  const failures = before.failures + 1;
  const failingSince = before.failingSince ?? new Date(now);
  const restMs = Math.max(retryPauseMs(failures, timing), requestedPauseMs(answer, timing));
  const until = Math.max(now + restMs, before.pausedUntil?.getTime() ?? 0);
  const tells = !before.toldAt && now - failingSince.getTime() >= timing.mailAfterMs;
  return {
    ...before,
    failures,
    failingSince,
    pausedUntil: until > now ? new Date(until) : null,
    toldAt: tells ? new Date(now) : before.toldAt,
    ...(tells && { mail: 'failing' as const }),
  };
};

const healthy = (accountId: AccountId): Health => ({
  accountId,
  failures: 0,
  failingSince: null,
  pausedUntil: null,
  toldAt: null,
  goneAt: null,
});
