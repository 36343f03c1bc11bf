import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DeviceCarrier,
  DeviceEnd,
  DeviceSurroundings,
  FetchFile,
  NoPlace,
} from '../../fleet/devices/driver.ts';
import type { CarrierEvents, Inbound, SendOutcome } from '../../traffic/lanes/index.ts';
import type { EnterQueue } from './browser-queue.ts';
import { openCalls } from './calls.ts';
import { compose } from './compose.ts';
import { openFolder } from './folder.ts';
import { inboundOf, receiptOf } from './inbound.ts';
import { keepRunning } from './keep-running.ts';
import { endOf } from './lost-reason.ts';
import type { MemoryWatch } from './memory.ts';
import { CODE_MS, countPairings } from './pairing-attempts.ts';
import { type FromSession, HIDDEN } from './protocol.ts';
import { startSession } from './session-process.ts';
import { storeInOrder } from './store-in-order.ts';

/** In milliseconds. */
export interface Times {
  firstPause: number;
  longestPause: number;
  /** How long an answer is waited for. */
  answer: number;
  /** How long a process has to end by itself. */
  end: number;
  /** After it was connected; the page first has to settle. */
  firstSave: number;
  save: number;
  memory: number;
}

export interface DeviceOptions {
  /** The folder in whose node_modules the library is. */
  library: string;
  /** The browser's program. */
  chromium: string;
  /** Below it each device that is open has a folder of its own. */
  folder: string;
  fetchFile: FetchFile;
  /** More variables for the processes of devices: tests name their stand-in by them. */
  environment?: Record<string, string>;
  /** Of what could not be stored or started. */
  warn: (error: unknown, deviceId: string) => void;
}

/** However little time is left, the browser writes down what it holds. */
const LEAST_END_MS = 2_000;

const NOT_CONNECTED: SendOutcome = {
  outcome: 'refused',
  code: 'DEVICE_NOT_CONNECTED',
  reason: 'The device is not connected.',
  retryable: true,
};
const NO_PLACE: NoPlace = 'NO_PLACE';
const TOO_LARGE = 'The device used too much memory and is started again.';

/** One device: what its process tells becomes what the port asks for. */
export const openDevice = (
  options: DeviceOptions & { times: Times; memory: MemoryWatch; enterQueue: EnterQueue },
  { device, session, events, keepFile, mayPass }: DeviceSurroundings,
): DeviceCarrier => {
  const { times, memory, enterQueue } = options;
  const warn = (error: unknown): void => options.warn(error, device.deviceId);
  const { store, tryOnce, close: closeStoring } = storeInOrder({ pauseMs: times.firstPause, mayPass, warn });
  const calls = openCalls();
  /** Messages whose files are being fetched. */
  const preparing = new Set<Promise<unknown>>();
  const files = openFolder(options.folder, device.deviceId, session);
  const nextPairing = countPairings();
  let heard: CarrierEvents | undefined;
  let up = false;
  let closing = false;
  /** Whether it was given up. */
  let ended = false;
  /** Whether it has a session: then it needs no code. */
  let paired = false;
  let { phoneNumber } = device;
  let saving: NodeJS.Timeout | undefined;
  let givePlaceBack = (): void => {};
  /** Resolves once the device is logged out. */
  let onLoggedOut: (() => void) | undefined;

  const isConnected = (): boolean => up;
  const setState = (next: boolean, reason: string): void => {
    up = next;
    heard?.state({ up, reason });
  };
  const saveAfter = (ms: number): void => {
    clearTimeout(saving);
    saving = setTimeout(() => {
      tryOnce(files.save);
      saveAfter(times.save);
    }, ms);
  };
  const giveUp = (why: DeviceEnd): void => {
    // We asked for it.
    if (why === 'LOGGED_OUT') onLoggedOut?.();
    if (ended || closing || onLoggedOut) return;
    ended = true;
    clearTimeout(saving);
    setState(false, why);
    store(() => events.ended(why));
    void kept.stop(times.end).then(() => givePlaceBack());
  };

  const hear: { [K in FromSession['kind']]: (said: FromSession & { kind: K }) => void } = {
    browser: () => {},
    pairing: ({ way, text }) => {
      // A device that was paired shows a code again only if its phone has ended the link.
      if (paired) return giveUp('LOGGED_OUT');
      const pairing = nextPairing(way, text, Date.now());
      if (pairing) store(() => events.pairing(pairing));
      else giveUp('PAIRING_UNUSED');
    },
    ready: (as) => {
      const own = kept.current();
      paired = true;
      phoneNumber = as.phoneNumber;
      kept.steady();
      saveAfter(times.firstSave);
      // It sends only once it is known as which number.
      store(async () => {
        await events.paired({ phoneNumber, displayName: as.displayName });
        if (own === kept.current() && !closing && !ended) setState(true, '');
      });
    },
    lost: ({ why }) => {
      const end = endOf(why);
      if (end) return giveUp(end);
      setState(false, why);
      // A new process finds its way back more surely than a page in an unknown state.
      void kept.current()?.end(times.end);
    },
    loggedOut: () => onLoggedOut?.(),
    sent: ({ call, outcome }) => calls.answer(call, outcome),
    ack: (ack) => {
      const receipt = receiptOf(ack, new Date());
      if (receipt) store(() => heard?.receipt(receipt));
    },
    unread: ({ why }) => warn(new Error(`a message could not be read: ${why}`)),
    message: (message) => {
      if (message.from.startsWith(HIDDEN))
        warn(new Error('WhatsApp does not tell the number of who wrote a message'));
      // Its file is kept once, however often the message is tried.
      let inbound: Inbound | undefined;
      store(async () => {
        inbound ??= await inboundOf(message, phoneNumber, keepFile);
        await heard?.inbound(inbound);
      });
    },
  };

  const start = async (over: () => void) => {
    const { folder, hadSession } = await files.prepare();
    paired ||= hadSession;
    const own = startSession(
      {
        kind: 'begin',
        library: options.library,
        folder,
        chromium: options.chromium,
        pairByCodeOf: device.pairByCodeOf.replace(/\D/g, ''),
        codeIntervalMs: CODE_MS,
      },
      {
        environment: options.environment ?? {},
        told: (said) => (hear[said.kind] as (said: FromSession) => void)(said),
        ended: (words) => {
          stopWatch();
          calls.giveUp('The process of the device ended before it answered.');
          if (up && !closing) setState(false, words.trim().split('\n').at(-1) ?? '');
          over();
        },
      },
    );
    store(() => events.driven(String(own.pid ?? '')));
    const stopWatch = memory.watch({
      groups: own.groups,
      onExcess: () => {
        setState(false, TOO_LARGE);
        void own.end(0);
      },
    });
    return own;
  };
  const kept = keepRunning({ start, firstMs: times.firstPause, longestMs: times.longestPause, warn });

  return {
    provider: 'whatsapp-web',
    channel: 'whatsapp',
    simulated: false,
    window: 1,
    open: async (given) => {
      heard = given;
      let waited = false;
      givePlaceBack = enterQueue({
        begin: () => {
          if (waited) setState(false, '');
          kept.begin();
        },
        wait: () => {
          waited = true;
          setState(false, NO_PLACE);
        },
      });
    },
    isUp: () => up,
    send: async (outgoing) => {
      if (!up || closing) return NOT_CONNECTED;
      const composing = compose(outgoing, options.fetchFile);
      preparing.add(composing);
      const composed = await composing;
      preparing.delete(composing);
      if ('refusal' in composed) return composed.refusal;
      // It may have gone, or be closing, while the file was fetched: nobody waits for the answer any more.
      const own = kept.current();
      if (!own || !isConnected() || (closing && composed.message.file)) return NOT_CONNECTED;
      return calls.ask(times.answer, (call) => own.post({ kind: 'send', call, message: composed.message }));
    },
    logOut: async (timeoutMs) => {
      const own = kept.current();
      if (!up || !own) return false;
      const isDone = await new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(false), timeoutMs);
        onLoggedOut = () => {
          clearTimeout(late);
          resolve(true);
        };
        own.post({ kind: 'logOut' });
      });
      // There is nothing to go on with.
      if (isDone) ended = true;
      return isDone;
    },
    close: async (timeoutMs) => {
      if (closing) return;
      closing = true;
      clearTimeout(saving);
      const deadline = Date.now() + timeoutMs;
      await Promise.race([Promise.allSettled(preparing), sleep(timeoutMs, undefined, { ref: false })]);
      await calls.settled(deadline - Date.now());
      if (up) setState(false, 'closed');
      await kept.stop(Math.max(LEAST_END_MS, deadline - Date.now()));
      givePlaceBack();
      // Now nothing changes the files any more: this is the session at its best.
      if (paired && !ended) tryOnce(files.save);
      await closeStoring();
      await files.remove();
    },
  };
};
