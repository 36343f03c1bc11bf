import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mailNames } from './mail-names.ts';

/** The copies of mails that were written before the moment given; none where the folder is missing. */
export const listMailsBefore = async (
  folder: string,
  before: Date,
): Promise<{ path: string; writtenAt: Date }[]> => {
  const found: { path: string; writtenAt: Date }[] = [];
  for await (const name of mailNames(folder)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && facts.mtime < before) found.push({ path, writtenAt: facts.mtime });
  }
  return found;
};

export const removeMail = (path: string): Promise<void> => rm(path, { force: true });
