import { StartFault } from '../terminal/index.ts';

/** Reads what a setting holds or names. The fault says which setting it is; `read` throws no secret. */
export const readSetting = <T>(setting: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new StartFault(`Bad settings: ${setting}: ${(error as Error).message}`, { cause: error });
  }
};
