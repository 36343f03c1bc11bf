import type { DrivenDevice } from '../../../fleet/devices/driver.ts';
import type { openFolder } from '../folder.ts';
import { keepRunning } from '../keep-running.ts';
import { CODE_MS } from '../pairing-attempts.ts';
import type { FromSession } from '../protocol.ts';
import { type SessionProcess, startSessionProcess } from '../session-process.ts';
import type { DriverOptions } from './device-options.ts';

interface Options extends DriverOptions {
  device: DrivenDevice;
  files: ReturnType<typeof openFolder>;
  warn: (error: unknown) => void;
}

interface Events {
  /** There is no place for it yet; false: now there is. Nothing is said if it has one at once. */
  waits: (isWaiting: boolean) => void;
  started: (as: { pid: number | undefined; hadSession: boolean }) => void;
  told: (told: FromSession) => void;
  /** It uses too much memory and is ended. */
  tooLarge: () => void;
  /** `words`: the last that it wrote. */
  ended: (words: string) => void;
}

/** The process of a device, kept running in a place of its own from `begin` to `stop`, under a watch of its memory. */
export const keepDevice = (options: Options, events: Events) => {
  const { device, files, memory, enterQueue, times, warn } = options;
  let givePlaceBack = (): void => {};

  const start = async (over: () => void): Promise<SessionProcess> => {
    const { folder, hadSession } = await files.prepare();
    const own = startSessionProcess(
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
        told: events.told,
        ended: (words) => {
          stopWatch();
          events.ended(words);
          over();
        },
      },
    );
    events.started({ pid: own.pid, hadSession });
    const stopWatch = memory.watch({
      groups: own.groups,
      onExcess: () => {
        events.tooLarge();
        void own.end(0);
      },
    });
    return own;
  };
  const kept = keepRunning({ start, firstMs: times.firstPause, longestMs: times.longestPause, warn });

  return {
    ...kept,
    begin: (): void => {
      let waited = false;
      givePlaceBack = enterQueue({
        begin: () => {
          if (waited) events.waits(false);
          kept.begin();
        },
        wait: () => {
          waited = true;
          events.waits(true);
        },
      });
    },
    stop: async (timeoutMs: number): Promise<void> => {
      await kept.stop(timeoutMs);
      givePlaceBack();
    },
  };
};
