import type { CarrierEvents } from '../../traffic/lanes/index.ts';
import type { CloudOptions } from './cloud-options.ts';

type Pace = Pick<CloudOptions, 'probeMs' | 'retry'>;

/** Until the number is asked again; `troubles`: how often in a row something was wrong. */
export const waitMs = (
  { probeMs, retry }: Pace,
  { up, troubles }: { up: boolean; troubles: number },
): number => (up ? probeMs : Math.min(retry.maxMs, retry.firstMs * 2 ** Math.min(20, troubles - 1)));

/** Tells the lane whether the number is in order. It is asked from time to time, and sooner while something is wrong. */
export const watchNumber = (pace: Pace) => {
  let events: CarrierEvents | undefined;
  let look: (() => Promise<string>) | undefined;
  let up = false;
  let stopped = false;
  let told: { up: boolean; reason: string } | undefined;
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
    if (stopped) return;
    timer = setTimeout(() => void probe(), waitMs(pace, { up, troubles }) * (0.9 + Math.random() / 5));
    timer.unref();
  };

  const fail = (reason: string): void => {
    if (stopped) return;
    // Requests in flight fail for the same cause: that counts once.
    if (up) troubles += 1;
    setState(false, reason);
    askAgain();
  };

  const probe = async (): Promise<void> => {
    if (!look || stopped) return;
    const fault = await look();
    if (fault === '') setState(true, '');
    else {
      if (!up) troubles += 1;
      fail(fault);
    }
    askAgain();
  };

  return {
    /** `ask` tells what is wrong with the number; '' if nothing is. Resolves after the first answer. */
    begin: async (heard: CarrierEvents, ask: () => Promise<string>): Promise<void> => {
      events = heard;
      look = ask;
      await probe();
    },
    isUp: (): boolean => up,
    /** Takes the lane down until the number is seen to be in order. */
    fail,
    /** The number was just seen to work. */
    works: (): void => {
      troubles = 0;
    },
    /** Asks no more; the state stays as it is. */
    stop: (): void => {
      stopped = true;
      clearTimeout(timer);
    },
    isStopped: (): boolean => stopped,
    tellClosed: (): void => {
      if (up) setState(false, 'closed');
    },
  };
};
