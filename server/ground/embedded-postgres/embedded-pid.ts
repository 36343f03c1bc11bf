import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a running PostgreSQL writes about itself in its folder. */
interface Running {
  pid: number;
  /** Empty until it listens. */
  socketFolder: string;
}

/** PostgreSQL's documented lines of postmaster.pid: process id, folder, start, port, socket folder, … */
export const readPidFile = async (folder: string): Promise<Running | undefined> => {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const [pid = '', , , , socketFolder = ''] = text.split('\n');
  return /^\d+$/.test(pid) ? { pid: Number(pid), socketFolder } : undefined;
};

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const commandOf = (pid: number): Promise<string> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    execute('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
      ({ stdout }) => stdout,
      () => '',
    ),
  );

/** After a reboot the process id in a leftover file may belong to another process. */
export const isServerOf = async (pid: number, folder: string): Promise<boolean> =>
  isAlive(pid) && (await commandOf(pid)).includes(folder);

/** PostgreSQL removes the files of a dead process itself, but not those of an id that is in use again. */
export const removeStalePidFiles = async (folder: string, { pid, socketFolder }: Running): Promise<void> => {
  if (!isAlive(pid)) return;
  await rm(join(folder, 'postmaster.pid'), { force: true });
  if (socketFolder !== '') await rm(join(socketFolder, '.s.PGSQL.5432.lock'), { force: true });
};
