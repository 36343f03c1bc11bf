import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modem, ModemEvents, ModemState, Outcome, Outgoing } from '../modems/modem.ts';
import { refused, sent, tooLate, unknown } from '../modems/modem.ts';
import { type GatewayMessage, type GatewayOptions, GatewayRefusal, openGateway } from './gateway-api.ts';

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

const ATTEMPTS = 3;
const ASK_EVERY_MS = 500;
/** A phone that was away tells what came in meanwhile. */
const INBOX_MS = 2 * 24 * 60 * 60_000;
/** Messages whose receipts are asked for in one round. */
const ASKED_AT_ONCE = 20;

/** The gateway's ids have 36 characters at most. */
const idOf = (handOver: string): string => createHash('sha256').update(handOver).digest('hex').slice(0, 32);

/** The connection was never made, so the phone heard nothing. */
const wasUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'].includes(
    ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '',
  );

/** The phone was never given it. */
const isMissing = (error: unknown): boolean => error instanceof GatewayRefusal && error.status === 404;

/** An Android phone by the local API of a gateway app. The app sends a message once, whose id we choose. */
export const androidModem = (options: AndroidModemOptions): Modem => {
  const { sim, number, answerMs, pollMs, since } = options;
  const gateway = openGateway(options);
  let events: ModemEvents | undefined;
  let state: ModemState = { up: false, reason: 'The phone was not reached yet.', number };
  let timer: NodeJS.Timeout | undefined;
  let closing = false;
  let polling: Promise<void> = Promise.resolve();
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
  const readInbox = async (): Promise<void> => {
    const from = new Date(Math.max(since.getTime(), Date.now() - INBOX_MS));
    for (let offset = 0; ; offset += gateway.pageSize) {
      const page = await gateway.inbox(from, offset);
      for (const { id, sender, simNumber, contentPreview, createdAt } of page) {
        const sentAt = new Date(createdAt);
        const at = Number.isNaN(sentAt.getTime()) ? new Date() : sentAt;
        if (at < since || (sim !== undefined && simNumber != null && simNumber !== sim)) continue;
        // The app makes the id of the text, so that it alone does not tell two messages apart.
        const key = createHash('sha256')
          .update([id, sender, createdAt].join('\n'))
          .digest('hex')
          .slice(0, 32);
        events?.arrived({ key, from: sender, text: contentPreview, at, concatenation: undefined });
      }
      if (page.length < gateway.pageSize) return;
    }
  };
  const poll = async (): Promise<void> => {
    try {
      const isReady = await gateway.isReady();
      become({ up: isReady, number, ...(!isReady && { reason: 'The gateway app is not ready.' }) });
      await readInbox();
      for (const id of [...unsettled].slice(0, ASKED_AT_ONCE)) {
        // The next round asks for others first.
        unsettled.delete(id);
        unsettled.add(id);
        report(await gateway.read(id));
      }
    } catch (error) {
      const reason = error instanceof GatewayRefusal ? error.message : 'The phone does not answer.';
      become({ up: false, reason: reason.slice(0, 200), number });
    }
  };
  const pollAgain = (): void => {
    if (closing) return;
    timer = setTimeout(() => {
      polling = poll().then(pollAgain);
    }, pollMs);
  };

  /** Undefined once the phone has it. */
  const handOver = async (message: Outgoing, id: string): Promise<Outcome | undefined> => {
    let mayHaveIt = message.again;
    for (let attempt = 1; ; attempt++) {
      try {
        await gateway.send({
          id,
          textMessage: { text: message.text },
          phoneNumbers: [message.recipient],
          simNumber: sim,
          ttl: Math.max(5, Math.floor(answerMs / 1_000)),
          withDeliveryReport: message.receipt,
        });
        return undefined;
      } catch (error) {
        const status = error instanceof GatewayRefusal ? error.status : 0;
        if (status === 409) return undefined;
        const { message: reason } = error as Error;
        // That this attempt failed says nothing of those before it.
        const fail = (code: string, retryable = true): Outcome =>
          mayHaveIt
            ? unknown({ parts: 1, references: [id], code, reason })
            : refused({ parts: 1, code, reason, retryable });
        if (status >= 400 && status < 500) return fail(`ANDROID-${status}`, status !== 400);
        if (status === 503) return fail('BUSY');
        mayHaveIt ||= !wasUnreachable(error);
        if (attempt === ATTEMPTS) return fail(mayHaveIt ? 'NO_ANSWER' : 'NO_NETWORK');
        await sleep(ASK_EVERY_MS);
      }
    }
  };
  const judge = (one: GatewayMessage, message: Outgoing): Outcome | undefined => {
    if (one.state === 'Sent' || one.state === 'Delivered') return sent([one.id]);
    const reason = one.recipients[0]?.error ?? `The phone says ${one.state}.`;
    if (one.state === 'Cancelled') return refused({ parts: 1, code: 'EXPIRED', reason });
    if (one.state !== 'Failed') return undefined;
    // Of a long message some parts may have been sent.
    const isShort = message.text.length <= 70;
    return isShort
      ? refused({ parts: 1, code: 'ANDROID-FAILED', reason: reason.slice(0, 200) })
      : unknown({ parts: 1, references: [one.id], code: 'ANDROID-FAILED', reason: reason.slice(0, 200) });
  };
  const send = async (message: Outgoing): Promise<Outcome> => {
    const id = idOf(message.id);
    const failed = message.expired ? undefined : await handOver(message, id);
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
      await poll();
      // Receipts of messages that an agent before this one sent.
      for (const one of await gateway.listSince(new Date(Date.now() - INBOX_MS)).catch(() => []))
        if (one.state === 'Sent') unsettled.add(one.id);
        else report(one);
      pollAgain();
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
      closing = true;
      clearTimeout(timer);
      await sending;
      await polling;
    },
  };
};
