import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchFile } from '../../fleet/devices/driver.ts';
import type { Outgoing } from '../../traffic/lanes/index.ts';
import { composeDeviceMessage } from './compose-device-message.ts';

/** Composes messages, and knows those whose files are being fetched. */
export const openComposing = (fetchFile: FetchFile) => {
  const preparing = new Set<Promise<unknown>>();
  return {
    compose: async (outgoing: Outgoing): ReturnType<typeof composeDeviceMessage> => {
      const composing = composeDeviceMessage(outgoing, fetchFile);
      preparing.add(composing);
      const composed = await composing;
      preparing.delete(composing);
      return composed;
    },
    /** Resolves when none is being composed, or after the time. */
    settled: async (timeoutMs: number): Promise<void> => {
      await Promise.race([Promise.allSettled(preparing), sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
};
