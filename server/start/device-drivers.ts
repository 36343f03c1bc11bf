import { join } from 'node:path';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import type { Config } from '../config.ts';
import type { DeviceDriver } from '../fleet/devices/index.ts';
import { openHttpClient } from '../ground/http-client/index.ts';
import type { Log } from '../ground/log/index.ts';
import { publicFiles } from '../providers/http-receivers/index.ts';
import { deviceSimulator } from '../providers/simulator/index.ts';
import {
  findChromium,
  isLibraryInstalled,
  libraryFolder,
  whatsappWeb,
} from '../providers/whatsapp-web/index.ts';

const MEGABYTE = 1024 * 1024;

/** New devices are of the first: WhatsApp Web once its library is installed, before that the simulator. */
export const deviceDrivers = (config: Config, log: Log): DeviceDriver[] => {
  const simulated = deviceSimulator({ recipients: SIMULATED_RECIPIENTS });
  const library = libraryFolder(config.DATA_DIR);
  const chromium = config.WHATSAPP_WEB_CHROMIUM ?? findChromium();
  if (!isLibraryInstalled(library) || !chromium) return [simulated];
  const web = whatsappWeb({
    library,
    chromium,
    folder: join(library, 'sessions'),
    fetchFile: publicFiles({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, openHttpClient }),
    memoryBytes: config.WHATSAPP_WEB_MEMORY_MB * MEGABYTE,
    mostDevices: config.WHATSAPP_WEB_MOST_DEVICES,
    warn: (error, deviceId) => log.warn({ err: error, deviceId }, 'a device could not be kept up to date'),
  });
  return [web, simulated];
};
