import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { SIMULATED_RECIPIENTS, SimulatedKind } from '../../../contract/traffic/simulator.ts';
import type { Carrier, CarrierEvents, Outgoing, Receipt, SendOutcome } from '../../traffic/lanes/index.ts';
import { kindOf } from './kind-of.ts';

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
const PUT_OFF_TIMES = 2;
/** Longer than any answer takes: the caller has given up by then. */
const SILENT_MS = 5_000;
const REPLY = 'OK, thank you!';
/** The reply of the recipient that opts out. */
const STOP = 'STOP';
const NOT_OPEN: SendOutcome = {
  outcome: 'refused',
  code: 'SIM_CLOSED',
  reason: 'The simulator is not open.',
  retryable: true,
};

/** The same message always takes as long: between the two, by its id. */
const spread = (id: string, from: number, to: number): number =>
  from + (createHash('sha256').update(id).digest().readUInt16BE(0) / 65_536) * (to - from);

const ANSWERS: Partial<Record<SimulatedKind, (id: string) => SendOutcome>> = {
  refused: () => ({
    outcome: 'refused',
    code: 'SIM_REFUSED',
    reason: 'The simulator refuses this recipient.',
    retryable: false,
  }),
  busy: () => ({
    outcome: 'refused',
    code: 'SIM_BUSY',
    reason: 'The simulator puts this recipient off.',
    retryable: true,
  }),
  silent: () => ({ outcome: 'unknown', reason: 'The simulator never answers for this recipient.' }),
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
  const deferred = new Map<string, number>();

  const wait = (ms: number): Promise<void> =>
    sleep(ms * pace, undefined, { signal: hurry.signal }).catch(() => {});

  /** A simulator that closes reports immediately what it would have reported later. */
  const later = (ms: number, tell: () => Promise<void> | undefined): void => {
    const told = wait(ms)
      .then(tell)
      .catch(() => {})
      .finally(() => telling.delete(told));
    telling.add(told);
  };

  const report = (id: string, state: Receipt['state'], code = ''): Promise<void> | undefined =>
    events?.receipt({ providerMessageId: `sim-${id}`, state, at: new Date(), code });

  const follow = ({ id, recipient, from }: Outgoing, kind: SimulatedKind): void => {
    if (kind === 'no-receipt' || kind === 'early-receipt') return;
    const ms = kind === 'slow' ? 10_000 : spread(id, 500, 1_500);
    const failed = kind === 'failed';
    later(ms, () => report(id, failed ? 'failed' : 'delivered', failed ? 'SIM_FAILED' : ''));
    if (kind === 'read') later(ms + 1_000, () => report(id, 'read'));
    if (kind === 'replies' || kind === 'stops')
      later(ms + 1_000, () =>
        events?.inbound({
          providerMessageId: `sim-reply-${id}`,
          from: recipient,
          to: from ?? (number || 'simulator'),
          text: kind === 'stops' ? STOP : REPLY,
          at: new Date(),
        }),
      );
  };

  const answerOf = (id: string, kind: SimulatedKind): SendOutcome => {
    if (kind === 'busy') {
      const times = (deferred.get(id) ?? 0) + 1;
      deferred.set(id, times);
      if (times > PUT_OFF_TIMES) {
        deferred.delete(id);
        return { outcome: 'accepted', providerMessageId: `sim-${id}` };
      }
    }
    return ANSWERS[kind]?.(id) ?? { outcome: 'accepted', providerMessageId: `sim-${id}` };
  };

  const take = async (message: Outgoing): Promise<SendOutcome> => {
    const kind = kindOf(recipients, message.recipient);
    if (kind === 'early-receipt') later(0, () => report(message.id, 'delivered'));
    const ms =
      kind === 'silent'
        ? SILENT_MS
        : kind === 'slow'
          ? 3_000
          : kind === 'early-receipt'
            ? 300
            : spread(message.id, 20, 80);
    await wait(ms);
    const answer = answerOf(message.id, kind);
    if (answer.outcome === 'accepted') follow(message, kind);
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
