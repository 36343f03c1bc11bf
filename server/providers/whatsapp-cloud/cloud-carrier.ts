import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { CLOUD_DEFAULTS, type CloudOptions, type CloudSettings } from './cloud-options.ts';
import { composeGraphMessage } from './compose-graph-message.ts';
import { type Graph, NoAnswer, openGraph } from './graph.ts';
import { graphRefusal } from './graph-errors.ts';
import { watchNumber } from './number-watch.ts';
import { openRate, type Rate } from './rate.ts';

/** Made when the carrier is opened. */
interface Link {
  graph: Graph;
  rate: Rate;
}

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

const notReached = (error: unknown): string => `WhatsApp is not reached: ${(error as Error).message}`;

/** What is wrong with the number; '' if nothing is. */
const faultOf = async (graph: Graph, phoneNumberId: string): Promise<string> => {
  try {
    const answer = await graph.get(`${phoneNumberId}?fields=id,display_phone_number`);
    return answer.status === 200 ? '' : graphRefusal(answer).outcome.reason;
  } catch (error) {
    return notReached(error);
  }
};

/** What became of a message whose request got no answer. */
const unanswered = (error: unknown): SendOutcome =>
  error instanceof NoAnswer && !error.sent
    ? notSent(notReached(error))
    : { outcome: 'unknown', reason: `WhatsApp gave no answer: ${(error as Error).message}` };

/**
 * A number of ours at Meta's Cloud API. There is no connection to watch, so the API is asked from time to time
 * whether the number is in order; what comes back about messages comes by webhook, to whichever process is called.
 */
export const cloudCarrier = (settings: CloudSettings): Carrier => {
  const options: CloudOptions = { ...CLOUD_DEFAULTS, ...settings };
  const { phoneNumberId, window } = options;
  const watch = watchNumber(options);
  let link: Link | undefined;
  let sending = 0;

  const ask = async (message: Outgoing, { graph, rate }: Link): Promise<SendOutcome> => {
    const answer = await graph.post(`${phoneNumberId}/messages`, composeGraphMessage(message));
    if (answer.status === 200) {
      watch.works();
      const id = idIn(answer.body);
      return id === undefined
        ? { outcome: 'unknown', reason: 'WhatsApp took it without giving it an id.' }
        : { outcome: 'accepted', providerMessageId: id };
    }
    const { outcome, concern } = graphRefusal(answer);
    if (concern === 'pace') rate.slowDown();
    // Where nobody says what became of it, the next ones are not to share its fate.
    if (concern === 'number' || outcome.outcome === 'unknown') watch.fail(outcome.reason);
    return outcome;
  };

  const send = async (message: Outgoing): Promise<SendOutcome> => {
    if (!watch.isUp() || watch.isStopped() || !link) return CLOSED;
    if (!(await link.rate.turn()) || !watch.isUp()) return CLOSED;
    try {
      return await ask(message, link);
    } catch (error) {
      watch.fail(notReached(error));
      return unanswered(error);
    }
  };

  return {
    provider: 'whatsapp-cloud',
    channel: 'whatsapp',
    simulated: false,
    window,
    // What its pace does not let out soon waits in the lane.
    gate: {
      room: () => link?.rate.room() ?? 0,
      freeAt: (nowMs) => nowMs + (link?.rate.fullMs() ?? 0),
    },
    open: async (heard) => {
      const graph = openGraph(options);
      link = { graph, rate: openRate(options.perSecond) };
      await watch.begin(heard, () => faultOf(graph, phoneNumberId));
    },
    isUp: () => watch.isUp() && !watch.isStopped(),
    send: async (message) => {
      sending += 1;
      try {
        return await send(message);
      } finally {
        sending -= 1;
      }
    },
    close: async (timeoutMs) => {
      watch.stop();
      const until = performance.now() + timeoutMs;
      while (sending > 0 && performance.now() < until) await sleep(POLL_MS);
      link?.rate.close();
      link?.graph.close();
      watch.tellClosed();
    },
  };
};
