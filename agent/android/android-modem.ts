import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modem, ModemEvents, ModemMessage, ModemOutcome, ModemState } from '../modems/modem.ts';
import { tooLate, unknown } from '../modems/modem.ts';
import { openPolling } from '../modems/poll.ts';
import { type GatewayMessage, type GatewayOptions, GatewayRefusal, openGateway } from './gateway-api.ts';
import { ASK_EVERY_MS, handOver, judge } from './hand-over.ts';
import { INBOX_MS, readInbox } from './read-inbox.ts';

export interface AndroidModemOptions extends GatewayOptions {
  /** Which SIM of the phone, from 1; the phone's default unless given. */
  sim?: number | undefined;
  number?: string | undefined;
  /** How long the phone may take to send a message. */
  answerMs: number;
  pollMs: number;
  /** What came in before is left alone. */
  since: Date;
}

/** Messages whose receipts are asked for in one round. */
const ASKED_AT_ONCE = 20;

/** The gateway's ids have 36 characters at most. */
const idOf = (handOver: string): string => createHash('sha256').update(handOver).digest('hex').slice(0, 32);

/** The message never reached the phone. */
const isMissing = (error: unknown): boolean => error instanceof GatewayRefusal && error.status === 404;

/** An Android phone by the local API of a gateway app. The app sends a message once, whose id we choose. */
export const androidModem = (options: AndroidModemOptions): Modem => {
  const { sim, number, answerMs, pollMs, since } = options;
  const gateway = openGateway(options);
  let events: ModemEvents | undefined;
  let state: ModemState = { up: false, reason: 'The phone was not reached yet.', number };
  let sending: Promise<unknown> = Promise.resolve();
  /** Ids of messages that were sent and not yet delivered. */
  const unsettled = new Set<string>();

  const become = (next: ModemState): void => {
    const isOther = state.up !== next.up || state.reason !== next.reason;
    state = next;
    if (isOther) events?.changed();
  };
  const report = ({ id, state: at, recipients }: GatewayMessage): void => {
    if (at !== 'Delivered' && at !== 'Failed') return;
    unsettled.delete(id);
    events?.report({
      reference: id,
      recipient: undefined,
      state: at === 'Delivered' ? 'delivered' : 'failed',
      code: recipients[0]?.error ?? at,
      at: new Date(),
    });
  };
  const poll = async (): Promise<void> => {
    try {
      const isReady = await gateway.isReady();
      become({ up: isReady, number, ...(!isReady && { reason: 'The gateway app is not ready.' }) });
      await readInbox(gateway, { sim, since, events });
      for (const id of [...unsettled].slice(0, ASKED_AT_ONCE)) {
        // The next round asks for other messages first.
        unsettled.delete(id);
        unsettled.add(id);
        report(await gateway.read(id));
      }
    } catch (error) {
      const reason = error instanceof GatewayRefusal ? error.message : 'The phone does not answer.';
      become({ up: false, reason: reason.slice(0, 200), number });
    }
  };
  /** Receipts of messages that an agent before this one sent. */
  const readFormer = async (): Promise<void> => {
    for (const one of await gateway.listSince(new Date(Date.now() - INBOX_MS)).catch(() => []))
      if (one.state === 'Sent') unsettled.add(one.id);
      else report(one);
  };
  const polling = openPolling(poll, () => pollMs);

  const send = async (message: ModemMessage): Promise<ModemOutcome> => {
    const id = idOf(message.id);
    const failed = message.expired ? undefined : await handOver(gateway, { ...message, sim, answerMs }, id);
    if (failed) return failed;
    const deadline = performance.now() + answerMs;
    while (performance.now() < deadline) {
      const outcome = await gateway.read(id).then(
        (one) => judge(one, message),
        (error) => (message.expired && isMissing(error) ? tooLate() : undefined),
      );
      if (outcome?.outcome === 'sent' && message.receipt) unsettled.add(id);
      if (outcome) return outcome;
      await sleep(ASK_EVERY_MS);
    }
    const cancelled = await gateway.cancel(id).catch(() => undefined);
    const code = 'NO_ANSWER';
    return (
      (cancelled && judge(cancelled, message)) ??
      unknown({ parts: 1, references: [id], code, reason: 'The phone has not sent it in time.' })
    );
  };

  return {
    driver: 'android',
    idempotent: true,
    open: async (to) => {
      events = to;
      await polling.begin(() => poll().then(readFormer));
    },
    state: () => state,
    send: (message) => {
      const outcome = send(message);
      sending = outcome;
      return outcome;
    },
    ask: async () => {
      throw new Error('The gateway app has no call for USSD codes.');
    },
    close: async () => {
      polling.end();
      await sending;
      await polling.idle();
    },
  };
};
