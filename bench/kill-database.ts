import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPidFile } from '../server/ground/embedded-postgres/index.ts';

/** Prepares `kill -9` of the embedded server in this folder; the process that started it starts it again. */
export const aimAtDatabase = async (dataDir: string): Promise<() => void> => {
  const names = await readdir(dataDir, { recursive: true });
  const file = names.find((name) => name.endsWith('postmaster.pid'));
  const running = file && (await readPidFile(join(dataDir, file, '..')));
  return () => {
    if (running) process.kill(running.pid, 'SIGKILL');
  };
};
