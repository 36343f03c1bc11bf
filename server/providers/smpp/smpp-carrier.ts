import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents } from '../../traffic/lanes/index.ts';
import { askCentre } from './ask-centre.ts';
import { openBinds } from './binds.ts';
import { openIncoming } from './incoming.ts';
import { messageIds } from './message-ids.ts';
import { AWAY, BUSY } from './not-sent.ts';
import { openSending } from './send-message.ts';
import { SMPP_DEFAULTS, type SmppOptions } from './smpp-options.ts';
import { openSubmitQueue } from './submit-queue.ts';
import { openTaking } from './take-messages.ts';

/** Options with a usual value may be left out. */
type SmppSettings = Partial<SmppOptions> & Pick<SmppOptions, 'host' | 'port' | 'systemId' | 'password'>;

/** What has waited for room for longer goes back to its lane, unless a part of it went out. */
const WAIT_MS = 2_000;
const UNBIND_MS = 2_000;
const POLL_MS = 5;
const UNHEARD: CarrierEvents = { receipt: async () => {}, inbound: async () => {}, state: () => {} };

/**
 * A message centre that is reached by SMPP 3.4. It is `working` until the lane's host closes it, then `closing`: what is
 * in our hands may still end, and nothing more is taken. Remembered: who hears of it. All else is remembered by its parts:
 * the binds, the queue of what waits for room in them, what is being sent, and what comes in.
 */
export const smppCarrier = (settings: SmppSettings): Carrier => {
  const options: SmppOptions = { ...SMPP_DEFAULTS, ...settings };
  const ids = messageIds(options.receipts ? options.receiptIds : 'same');
  let mode: 'working' | 'closing' = 'working';
  let events = UNHEARD;
  let timer: NodeJS.Timeout | undefined;

  const room = (): void => {
    queue.pump();
    if (!sending.hasSettled() && queue.room() > 0) events.room?.();
    sending.forgetSettled();
  };
  const overdue = (): void => {
    sending.forgetSettled();
    room();
  };
  const incoming = openIncoming(options, ids, () => events);
  const binds = openBinds(options, {
    away: () => queue.giveBack(AWAY),
    state: (told) => events.state(told),
    room,
    overdue,
    deliver: incoming.deliver,
  });
  const isUp = (): boolean => mode === 'working' && binds.isConnected();
  const queue = openSubmitQueue(binds.all);
  const sending = openSending({
    queue,
    answeredId: ids.answered,
    note: (message, note) => events.part?.(message, note) ?? true,
    isConnected: binds.isConnected,
    isClosing: () => mode === 'closing',
  });
  const taking = openTaking(options, isUp, sending);

  const open = async (heard: CarrierEvents): Promise<void> => {
    events = heard;
    const age = { whole: Math.min(WAIT_MS, options.timeoutMs), begun: options.timeoutMs };
    const look = (): void => {
      queue.giveBackOld(BUSY, age);
      void incoming.sweep();
    };
    timer = setInterval(look, Math.min(age.whole, options.reassemblyMs) / 4);
    await binds.open();
  };
  const close = async (timeoutMs: number): Promise<void> => {
    mode = 'closing';
    const until = performance.now() + timeoutMs;
    while ((taking.isSending() || incoming.isDelivering()) && performance.now() < until) await sleep(POLL_MS);
    queue.giveBack(AWAY);
    clearInterval(timer);
    await incoming.sweep(true);
    await binds.close(UNBIND_MS);
  };
  return {
    provider: 'smpp',
    channel: 'sms',
    simulated: false,
    // One whose answer is overdue does not keep another from being handed over.
    get window() {
      return options.binds * options.window + binds.overdue();
    },
    room: () => Math.ceil(queue.room() / taking.partsEach()),
    open,
    isUp,
    send: taking.send,
    ask: (asked) => askCentre(asked, binds.oneUp(), options),
    close,
  };
};
