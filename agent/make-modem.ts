import { join } from 'node:path';
import { androidModem } from './android/android-modem.ts';
import { gammuModem } from './gammu/gammu-modem.ts';
import type { Modem } from './modems/modem.ts';
import { openSerialLine } from './serial/serial-line.ts';
import { serialModem } from './serial/serial-modem.ts';
import type { ModemSettings } from './settings.ts';

/** The driver that the settings name. */
export const makeModem = (
  settings: ModemSettings,
  { folder, joinedAt }: { folder: string; joinedAt: Date },
): Modem => {
  if (settings.driver === 'android') return androidModem({ ...settings, since: joinedAt });
  if (settings.driver === 'gammu')
    return gammuModem({ ...settings, folder: join(folder, `gammu-${settings.name}`) });
  const { path, baudRate } = settings;
  return serialModem({ ...settings, openLine: () => openSerialLine(path, baudRate) });
};
