import type { DeviceDriver } from '../../fleet/devices/driver.ts';
import { openBrowserQueue } from './browser-queue.ts';
import { openDevice } from './device/device-carrier.ts';
import type { DeviceOptions, Times } from './device/device-options.ts';
import { openMemoryWatch } from './memory.ts';

const TIMES: Times = {
  firstPause: 1_000,
  longestPause: 60_000,
  answer: 60_000,
  end: 10_000,
  firstSave: 15_000,
  save: 15 * 60_000,
  memory: 10_000,
};

interface WhatsappWebOptions extends DeviceOptions {
  /** What one device may use, its browser included. */
  memoryBytes: number;
  /** How many run at a time in this process; further ones wait. */
  mostDevices: number;
  times?: Partial<Times>;
}

/** Customers' own WhatsApp numbers by WhatsApp Web: one browser for each device, in a process of its own. */
export const whatsappWeb = ({ memoryBytes, mostDevices, ...options }: WhatsappWebOptions): DeviceDriver => {
  const times = { ...TIMES, ...options.times };
  const memory = openMemoryWatch({ mostBytes: memoryBytes, everyMs: times.memory });
  const enterQueue = openBrowserQueue(mostDevices);
  return {
    name: 'whatsapp-web',
    simulated: false,
    isGoverned: () => true,
    carrier: (surroundings) => openDevice({ ...options, times, memory, enterQueue }, surroundings),
  };
};
