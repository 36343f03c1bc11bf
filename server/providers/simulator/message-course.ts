import { createHash } from 'node:crypto';
import type { SimulatedKind } from '../../../contract/traffic/simulator.ts';
import type { CarrierEvents, Outgoing, Receipt, SendOutcome } from '../../traffic/lanes/index.ts';

const PUT_OFF_TIMES = 2;
/** Longer than any answer takes: the caller has given up by then. */
const SILENT_MS = 5_000;
const REPLY = 'OK, thank you!';
/** The reply of the recipient that opts out. */
const STOP = 'STOP';

/** The same message always takes as long: between the two, by its id. */
const spread = (id: string, from: number, to: number): number =>
  from + (createHash('sha256').update(id).digest().readUInt16BE(0) / 65_536) * (to - from);

/** How long the answer takes. */
export const answerMs = (id: string, kind: SimulatedKind): number => {
  if (kind === 'silent') return SILENT_MS;
  if (kind === 'slow') return 3_000;
  return kind === 'early-receipt' ? 300 : spread(id, 20, 80);
};

const REFUSALS: Partial<Record<SimulatedKind, SendOutcome>> = {
  refused: {
    outcome: 'refused',
    code: 'SIM_REFUSED',
    reason: 'The simulator refuses this recipient.',
    retryable: false,
  },
  busy: {
    outcome: 'refused',
    code: 'SIM_BUSY',
    reason: 'The simulator puts this recipient off.',
    retryable: true,
  },
  silent: { outcome: 'unknown', reason: 'The simulator never answers for this recipient.' },
};

/** Remembers how often each message was put off: the recipient that is busy takes it in the end. */
export const openAnswers = () => {
  const deferred = new Map<string, number>();
  const isEnough = (id: string): boolean => {
    const times = (deferred.get(id) ?? 0) + 1;
    deferred.set(id, times);
    return times > PUT_OFF_TIMES && deferred.delete(id);
  };
  return (id: string, kind: SimulatedKind): SendOutcome => {
    const refusal = kind === 'busy' && isEnough(id) ? undefined : REFUSALS[kind];
    return refusal ?? { outcome: 'accepted', providerMessageId: `sim-${id}` };
  };
};

/** Something that is told of a message, so long after its answer. */
export interface FollowUp {
  ms: number;
  tell: (events: CarrierEvents) => Promise<void>;
}

export const report =
  (id: string, state: Receipt['state'], code = ''): FollowUp['tell'] =>
  (events) =>
    events.receipt({ providerMessageId: `sim-${id}`, state, at: new Date(), code });

/** What is told of a message that was accepted. `number`: where a reply goes to that names no sender. */
export const followUpsOf = (
  { id, recipient, from }: Pick<Outgoing, 'id' | 'recipient' | 'from'>,
  { kind, number }: { kind: SimulatedKind; number: string },
): FollowUp[] => {
  if (kind === 'no-receipt' || kind === 'early-receipt') return [];
  const ms = kind === 'slow' ? 10_000 : spread(id, 500, 1_500);
  if (kind === 'failed') return [{ ms, tell: report(id, 'failed', 'SIM_FAILED') }];
  const delivered = { ms, tell: report(id, 'delivered') };
  if (kind === 'read') return [delivered, { ms: ms + 1_000, tell: report(id, 'read') }];
  if (kind !== 'replies' && kind !== 'stops') return [delivered];
  const reply: FollowUp['tell'] = (events) =>
    events.inbound({
      providerMessageId: `sim-reply-${id}`,
      from: recipient,
      to: from ?? (number || 'simulator'),
      text: kind === 'stops' ? STOP : REPLY,
      at: new Date(),
    });
  return [delivered, { ms: ms + 1_000, tell: reply }];
};
