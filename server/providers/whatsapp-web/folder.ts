import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceSession } from '../../fleet/devices/driver.ts';
import { packProfile, profileIn, unpackProfile } from './profile.ts';

const ONLY_OURS = 0o700;

/**
 * The folder in which a device's browser keeps its session while it is open. What counts is the sealed copy: the folder
 * is made anew from it each time, and removed in the end.
 */
export const openFolder = (parent: string, deviceId: string, session: DeviceSession) => {
  let folder: string | undefined;
  const beginning = `${deviceId}-`;

  /** Of a worker on this machine that was killed; the device is ours now. */
  const removeOld = async (): Promise<void> => {
    for (const name of await readdir(parent))
      if (name.startsWith(beginning)) await rm(join(parent, name), { recursive: true, force: true });
  };
  return {
    /** `hadSession`: it was paired before. A process that is started again goes on with the files of the one before. */
    prepare: async (): Promise<{ folder: string; hadSession: boolean }> => {
      if (folder) return { folder, hadSession: false };
      await mkdir(parent, { recursive: true, mode: ONLY_OURS });
      await removeOld();
      const made = await mkdtemp(join(parent, beginning));
      const packed = await session.read();
      if (packed) await unpackProfile(profileIn(made), packed);
      folder = made;
      return { folder, hadSession: packed !== undefined };
    },
    save: async (): Promise<void> => {
      if (folder) await session.write(await packProfile(profileIn(folder)));
    },
    remove: async (): Promise<void> => {
      if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      folder = undefined;
    },
  };
};
