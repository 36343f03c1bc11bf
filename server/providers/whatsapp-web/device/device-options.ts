import type { FetchFile } from '../../../fleet/devices/driver.ts';
import type { EnterQueue } from '../browser-queue.ts';
import type { MemoryWatch } from '../memory.ts';

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

/** What all devices of a driver share. */
export interface DriverOptions extends DeviceOptions {
  times: Times;
  memory: MemoryWatch;
  enterQueue: EnterQueue;
}
