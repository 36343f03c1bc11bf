import { setTimeout as sleep } from 'node:timers/promises';
import { type ModemMessage, type ModemOutcome, refusedOutcome, sent, unknown } from '../modems/modem.ts';
import { type GatewayMessage, GatewayRefusal, type openGateway } from './gateway-api.ts';

type Gateway = Pick<ReturnType<typeof openGateway>, 'send'>;

const ATTEMPTS = 3;
export const ASK_EVERY_MS = 500;

/** The connection was never made, so the phone heard nothing. */
const wasUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'].includes(
    ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '',
  );

/** Undefined once the phone has the message. */
export const handOver = async (
  gateway: Gateway,
  message: ModemMessage & { sim: number | undefined; answerMs: number },
  id: string,
): Promise<ModemOutcome | undefined> => {
  let mayHaveIt = message.again;
  for (let attempt = 1; ; attempt++) {
    try {
      await gateway.send({
        id,
        textMessage: { text: message.text },
        phoneNumbers: [message.recipient],
        simNumber: message.sim,
        ttl: Math.max(5, Math.floor(message.answerMs / 1_000)),
        withDeliveryReport: message.receipt,
      });
      return undefined;
    } catch (error) {
      const status = error instanceof GatewayRefusal ? error.status : 0;
      if (status === 409) return undefined;
      const { message: reason } = error as Error;
      // A failure of this attempt says nothing about earlier attempts.
      const fail = (code: string, retryable = true): ModemOutcome =>
        mayHaveIt
          ? unknown({ parts: 1, references: [id], code, reason })
          : refusedOutcome({ parts: 1, code, reason, retryable });
      if (status >= 400 && status < 500) return fail(`ANDROID-${status}`, status !== 400);
      if (status === 503) return fail('BUSY');
      mayHaveIt ||= !wasUnreachable(error);
      if (attempt === ATTEMPTS) return fail(mayHaveIt ? 'NO_ANSWER' : 'NO_NETWORK');
      await sleep(ASK_EVERY_MS);
    }
  }
};

/** What the phone says of it; undefined as long as it has not sent it. */
export const judge = (one: GatewayMessage, message: ModemMessage): ModemOutcome | undefined => {
  if (one.state === 'Sent' || one.state === 'Delivered') return sent([one.id]);
  const reason = one.recipients[0]?.error ?? `The phone says ${one.state}.`;
  if (one.state === 'Cancelled') return refusedOutcome({ parts: 1, code: 'EXPIRED', reason });
  if (one.state !== 'Failed') return undefined;
  // Of a long message some parts may have been sent.
  const isShort = message.text.length <= 70;
  return isShort
    ? refusedOutcome({ parts: 1, code: 'ANDROID-FAILED', reason: reason.slice(0, 200) })
    : unknown({ parts: 1, references: [one.id], code: 'ANDROID-FAILED', reason: reason.slice(0, 200) });
};
