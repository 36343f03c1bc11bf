import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { kindOf } from './kind-of.ts';
import { answerMs, type FollowUp, followUpsOf, openAnswers, report } from './message-course.ts';

export interface SimulatorOptions {
  channel: Channel;
  recipients: typeof SIMULATED_RECIPIENTS;
  /** Stretches or shortens every wait: 0 for none. */
  pace?: number;
  window?: number;
  /** Its own: replies to messages that name no sender come to it. */
  number?: string;
}

const WINDOW = 200;
const NOT_OPEN: SendOutcome = {
  outcome: 'refused',
  code: 'SIM_CLOSED',
  reason: 'The simulator is not open.',
  retryable: true,
};

/** A carrier that reaches nobody: it answers, reports and replies by the recipient, the same way each time. */
export const simulator = ({
  channel,
  recipients,
  pace = 1,
  window = WINDOW,
  number = '',
}: SimulatorOptions): Carrier => {
  let events: CarrierEvents | undefined;
  let open = false;
  const sending = new Set<Promise<SendOutcome>>();
  const telling = new Set<Promise<void>>();
  let hurry = new AbortController();
  const answerOf = openAnswers();

  const wait = (ms: number): Promise<void> =>
    sleep(ms * pace, undefined, { signal: hurry.signal }).catch(() => {});

  /** A simulator that closes reports immediately what it would have reported later. */
  const later = ({ ms, tell }: FollowUp): void => {
    const told = wait(ms)
      .then(() => events && tell(events))
      .catch(() => {})
      .finally(() => telling.delete(told));
    telling.add(told);
  };

  const take = async (message: Outgoing): Promise<SendOutcome> => {
    const { id, recipient } = message;
    const kind = kindOf(recipients, recipient);
    if (kind === 'early-receipt') later({ ms: 0, tell: report(id, 'delivered') });
    await wait(answerMs(id, kind));
    const answer = answerOf(id, kind);
    if (answer.outcome === 'accepted') for (const one of followUpsOf(message, { kind, number })) later(one);
    return answer;
  };

  return {
    provider: 'simulator',
    channel,
    simulated: true,
    window,
    open: async (given) => {
      hurry = new AbortController();
      events = given;
      open = true;
      given.state({ up: true, reason: '' });
    },
    isUp: () => open,
    send: (message) => {
      if (!open) return Promise.resolve(NOT_OPEN);
      const sent = take(message).finally(() => sending.delete(sent));
      sending.add(sent);
      return sent;
    },
    close: async (timeoutMs) => {
      if (!open) return;
      // Nothing new is accepted from here on; accepted messages still get their reports.
      open = false;
      const end = sleep(timeoutMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled([...sending]), end]);
      hurry.abort();
      await Promise.race([Promise.allSettled([...telling]), end]);
      events?.state({ up: false, reason: 'closed' });
    },
  };
};
