import { setTimeout as sleep } from 'node:timers/promises';
import type { CallAnswer, HttpCall } from './http-call.ts';
import { openHttpClient } from './http-client.ts';

interface LinkOptions {
  /** Whose host is looked for while it can't be reached. */
  url: string;
  /** Calls a second at most. */
  perSecond?: number | undefined;
  /** How long a connection, and then an answer, is waited for. */
  connectMs?: number | undefined;
  answerMs?: number | undefined;
}

/** The way to one HTTP service: whether it can be reached, at which pace it is called, and an orderly end. */
interface Link {
  open: (onState: (state: { up: boolean; reason: string }) => void) => Promise<void>;
  isUp: () => boolean;
  call: (call: HttpCall) => Promise<CallAnswer>;
  /** Lets running calls finish, up to the given time; the rest is lost, but nothing new begins. */
  close: (timeoutMs: number) => Promise<void>;
}

export type OpenLink = (options: LinkOptions) => Link;

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 15_000;
/** What would have to wait longer for its turn is given back. */
const LONGEST_TURN_MS = 10_000;
const POLL_MS = 5;

/** Hands out slots at an even pace. */
const openConcurrencyLimit = (perSecond: number | undefined) => {
  const everyMs = perSecond === undefined ? 0 : 1_000 / perSecond;
  let next = 0;
  /** How long to wait, or undefined if it were too long. */
  return (): number | undefined => {
    const now = performance.now();
    const waitMs = Math.max(0, next - now);
    if (waitMs > LONGEST_TURN_MS) return undefined;
    next = Math.max(now, next) + everyMs;
    return waitMs;
  };
};

export const openLink: OpenLink = ({ url, perSecond, connectMs = CONNECT_MS, answerMs = ANSWER_MS }) => {
  const http = openHttpClient({ connectMs, answerMs });
  const takeTurn = openConcurrencyLimit(perSecond);
  /** Takes nothing more; and then lets nothing more go. */
  const ended = new AbortController();
  const over = new AbortController();
  let onState: (state: { up: boolean; reason: string }) => void = () => {};
  let opened = false;
  let reachable = false;
  let looking: Promise<void> | undefined;
  let underWay = 0;
  let doubting = false;

  const isUp = (): boolean => opened && reachable && !ended.signal.aborted;

  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    sleep(ms, undefined, { signal }).catch(() => {});

  /** Until it can be reached again. */
  const lookFor = async (): Promise<void> => {
    for (let ms = FIRST_LOOK_MS; !ended.signal.aborted; ms = Math.min(LONGEST_LOOK_MS, ms * 2)) {
      await wait(ms, ended.signal);
      if (ended.signal.aborted || (await http.reach(url)) !== undefined) continue;
      looking = undefined;
      reachable = true;
      if (isUp()) onState({ up: true, reason: '' });
      return;
    }
  };
  const isAway = (reason: string): void => {
    reachable = false;
    if (looking || ended.signal.aborted) return;
    onState({ up: false, reason });
    looking = lookFor();
  };

  /** After a call that was lost: so that no more are, if it is gone. */
  const lookOnce = async (): Promise<void> => {
    if (looking || doubting) return;
    doubting = true;
    const reason = await http.reach(url);
    doubting = false;
    if (reason !== undefined) isAway(reason);
  };

  const AWAY: CallAnswer = { kind: 'not-sent', reason: 'The service can not be reached.' };
  const callInTurn = async (call: HttpCall): Promise<CallAnswer> => {
    const waitMs = takeTurn();
    if (waitMs === undefined) return { kind: 'not-sent', reason: 'There was no turn for too long.' };
    if (waitMs > 0) await wait(waitMs, over.signal);
    if (!reachable || over.signal.aborted) return AWAY;
    const answer = await http.call(call);
    if (answer.kind === 'not-sent') isAway(answer.reason);
    if (answer.kind === 'lost') void lookOnce();
    return answer;
  };

  return {
    isUp,
    open: async (heard) => {
      onState = heard;
      opened = true;
      const reason = await http.reach(url);
      if (reason !== undefined) return isAway(reason);
      reachable = true;
      onState({ up: true, reason: '' });
    },
    call: async (call) => {
      if (!isUp()) return AWAY;
      underWay += 1;
      try {
        return await callInTurn(call);
      } finally {
        underWay -= 1;
      }
    },
    close: async (timeoutMs) => {
      if (ended.signal.aborted) return;
      ended.abort();
      const until = performance.now() + timeoutMs;
      while (underWay > 0 && performance.now() < until) await sleep(POLL_MS);
      over.abort();
      http.close();
    },
  };
};
