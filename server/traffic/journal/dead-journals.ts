import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AliveSocket, isGone } from './alive-socket.ts';
import { type JournalContent, readBootId, readJournal, readJournalHeader } from './journal-file.ts';

export interface DeadJournal {
  workerId: string;
  /** What it had handed over; undefined if the file can't tell. */
  handed: JournalContent['handed'] | undefined;
  /** All that it says is in the database. */
  remove: () => Promise<void>;
}

const SUFFIX = '.journal';
/** The journal of another boot, maybe of another machine, is kept for this long. */
const KEPT_MS = 24 * 3_600_000;

/** A file that could not be removed is read again later, which changes nothing. */
const remove = async (path: string, socket?: AliveSocket): Promise<void> => {
  const paths = [path, `${path}.next`, ...(socket ? [socket.path] : [])];
  await Promise.all(paths.map((one) => rm(one, { force: true }).catch(() => {})));
};

const removeOld = async (path: string, socket?: AliveSocket): Promise<void> => {
  const found = await stat(path).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > KEPT_MS) await remove(path, socket);
};

/** The journals of workers that ran here since this machine started, and that are certainly gone. */
export const findDeadJournals = async (folder: string): Promise<DeadJournal[]> => {
  const bootId = await readBootId();
  const names = await readdir(folder).catch(() => []);
  const dead: DeadJournal[] = [];
  for (const name of names.filter((one) => one.endsWith(SUFFIX))) {
    const path = join(folder, name);
    const header = await readJournalHeader(path);
    if (!header || header.bootId !== bootId) await removeOld(path, header?.socket);
    else if (await isGone(header.socket)) {
      // Read only now: what it wrote just before its end is in it.
      const content = await readJournal(path);
      const { workerId, socket } = header;
      dead.push({ workerId, handed: content?.handed, remove: () => remove(path, socket) });
    }
  }
  return dead;
};
