import type { HandOverId } from '../../../contract/fleet/agent-protocol.ts';
import type { Carrier, CarrierEvents } from '../../traffic/lanes/index.ts';
import type { DrivenPhone, PhoneDriver } from '../phones/index.ts';
import type { HandOverDesk } from './hand-over-desk.ts';
import { idOf } from './hand-over-store.ts';

/** The agent begins nothing later than this, so that it has answered before a worker takes the outcome for unknown. */
const BEGIN_WITHIN_MS = 60_000;
export const AGENT = 'agent';

type Desk = Pick<HandOverDesk, 'handOver' | 'forget' | 'watch'>;

/** The modem of one phone. Receipts and incoming messages are stored by the process that has the agent's connection. */
const agentCarrier = (desk: Desk, { id: phoneId }: DrivenPhone): Carrier => {
  let state = { up: false, reason: '' };
  let unwatch = (): void => {};
  let given: HandOverId | undefined;
  return {
    provider: AGENT,
    channel: 'sms',
    simulated: false,
    // A modem sends one message after another, and no more than one is in doubt after a kill.
    window: 1,
    open: async (events: CarrierEvents) => {
      let opening = true;
      unwatch = await desk.watch(phoneId, (next) => {
        const changed = next.up !== state.up || next.reason !== state.reason;
        state = next;
        if (opening ? !next.up : changed) events.state(next);
      });
      opening = false;
    },
    isUp: () => state.up,
    send: ({ id, attempts = 1, recipient, text }) => {
      given = idOf(id, attempts);
      return desk.handOver({ id: given, phoneId, recipient, text, withinMs: BEGIN_WITHIN_MS });
    },
    close: async () => {
      unwatch();
      if (given) desk.forget(given);
    },
  };
};

/** Phones beside which an agent is. What they say of themselves comes by its connection, so there is nothing to ask. */
export const agentDriver = (desk: Desk): PhoneDriver => ({
  name: AGENT,
  simulated: false,
  carrier: ({ phone }) => agentCarrier(desk, phone),
  look: async () => [],
});
