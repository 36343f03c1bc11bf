import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { type CloudOptions, type CloudSettings, COMMON_OPTIONS } from './cloud-options.ts';
import { compose } from './compose.ts';
import { type Graph, NoAnswer, openGraph } from './graph.ts';
import { refusalOf } from './graph-errors.ts';
import { openRate, type Rate } from './rate.ts';

const notSent = (reason: string): SendOutcome => ({
  outcome: 'refused',
  code: 'NOT_CONNECTED',
  reason,
  retryable: true,
});
const CLOSED = notSent('The connection to WhatsApp is not open.');
const POLL_MS = 5;

/** The id that Meta gave the message; undefined if its answer has none. */
const idIn = (body: unknown): string | undefined => {
  const [first] = (body as { messages?: { id?: unknown }[] } | undefined)?.messages ?? [];
  return typeof first?.id === 'string' && first.id !== '' ? first.id : undefined;
};

/**
 * A number of ours at Meta's Cloud API. There is no connection to watch, so the API is asked from time to time
 * whether the number is in order; what comes back about messages comes by webhook, to whichever process is called.
 */
export const cloudCarrier = (settings: CloudSettings): Carrier => {
  const options: CloudOptions = { ...COMMON_OPTIONS, ...settings };
  const { phoneNumberId, window, retry } = options;
  let events: CarrierEvents | undefined;
  let graph: Graph | undefined;
  let rate: Rate | undefined;
  let up = false;
  let closing = false;
  let told: { up: boolean; reason: string } | undefined;
  let sending = 0;
  let troubles = 0;
  let timer: NodeJS.Timeout | undefined;

  const setState = (isUp: boolean, reason: string): void => {
    up = isUp;
    if (told && told.up === isUp && (isUp || told.reason === reason)) return;
    told = { up: isUp, reason };
    events?.state(told);
  };

  const askAgain = (): void => {
    clearTimeout(timer);
    if (closing) return;
    const ms = up ? options.probeMs : Math.min(retry.maxMs, retry.firstMs * 2 ** Math.min(20, troubles - 1));
    timer = setTimeout(() => void probe(), ms * (0.9 + Math.random() / 5));
    timer.unref();
  };

  const fail = (reason: string): void => {
    if (closing) return;
    // Requests in flight fail for the same cause: that counts once.
    if (up) troubles += 1;
    setState(false, reason);
    askAgain();
  };

  const probe = async (): Promise<void> => {
    if (!graph || closing) return;
    try {
      const answer = await graph.get(`${phoneNumberId}?fields=id,display_phone_number`);
      if (answer.status === 200) setState(true, '');
      else {
        const { outcome } = refusalOf(answer);
        if (!up) troubles += 1;
        fail(outcome.reason);
      }
    } catch (error) {
      if (!up) troubles += 1;
      fail(`WhatsApp is not reached: ${(error as Error).message}`);
    }
    askAgain();
  };

  const ask = async (message: Outgoing, to: Graph): Promise<SendOutcome> => {
    const answer = await to.post(`${phoneNumberId}/messages`, compose(message));
    if (answer.status === 200) {
      troubles = 0;
      const id = idIn(answer.body);
      return id === undefined
        ? { outcome: 'unknown', reason: 'WhatsApp took it without giving it an id.' }
        : { outcome: 'accepted', providerMessageId: id };
    }
    const { outcome, concern } = refusalOf(answer);
    if (concern === 'pace') rate?.slowDown();
    // Where nobody says what became of it, the next ones are not to share its fate.
    if (concern === 'number' || outcome.outcome === 'unknown') fail(outcome.reason);
    return outcome;
  };

  const send = async (message: Outgoing): Promise<SendOutcome> => {
    if (!up || closing || !graph || !rate) return CLOSED;
    if (!(await rate.turn()) || !up) return CLOSED;
    try {
      return await ask(message, graph);
    } catch (error) {
      const { message: reason } = error as Error;
      fail(`WhatsApp is not reached: ${reason}`);
      return error instanceof NoAnswer && !error.sent
        ? notSent(`WhatsApp is not reached: ${reason}`)
        : { outcome: 'unknown', reason: `WhatsApp gave no answer: ${reason}` };
    }
  };

  return {
    provider: 'whatsapp-cloud',
    channel: 'whatsapp',
    simulated: false,
    window,
    // What its pace does not let out soon waits in the lane.
    gate: {
      room: () => rate?.room() ?? 0,
      freeAt: (nowMs) => nowMs + (rate?.fullMs() ?? 0),
    },
    open: async (heard) => {
      events = heard;
      graph = openGraph(options);
      rate = openRate(options.perSecond);
      await probe();
    },
    isUp: () => up && !closing,
    send: async (message) => {
      sending += 1;
      try {
        return await send(message);
      } finally {
        sending -= 1;
      }
    },
    close: async (timeoutMs) => {
      closing = true;
      clearTimeout(timer);
      const until = performance.now() + timeoutMs;
      while (sending > 0 && performance.now() < until) await sleep(POLL_MS);
      rate?.close();
      graph?.close();
      if (up) setState(false, 'closed');
    },
  };
};
