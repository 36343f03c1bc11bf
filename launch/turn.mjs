import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from './fault.mjs';
import { ROOT } from './root.mjs';

/** In a folder that neither an installation nor a build removes. */
const FOLDER = join(ROOT, 'dist');
const LOCK = join(FOLDER, '.preparing');
const POLL_MS = 100;
/** No installation takes this long: after a power cut the process id may belong to another process. */
const STALE_AFTER_MS = 15 * 60_000;

const asFault = (error) => {
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code))
    return new Fault(
      `Packages or pages have to be prepared, but this user may not write to ${ROOT}: run the command once as the owner of that folder.`,
    );
  if (error.code === 'ENOSPC') return new Fault(`There is no space left on the disk that holds ${ROOT}.`);
  return error;
};

/** Undefined if it has gone meanwhile. */
const ifThere = (look) => {
  try {
    return look();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const readLock = (path) => ifThere(() => readFileSync(path, 'utf8'));

const isStale = (owner) => {
  if (!isAlive(Number(owner))) return true;
  const stats = ifThere(() => statSync(LOCK));
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS;
};

/** The file appears whole, with its owner's process id, or not at all. */
const tryLock = () => {
  const own = `${LOCK}-${process.pid}`;
  try {
    writeFileSync(own, String(process.pid));
    linkSync(own, LOCK);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw asFault(error);
  } finally {
    rmSync(own, { force: true });
  }
};

/** The lock of a killed command is removed, unless another command has just replaced it. */
const removeStale = (owner) => {
  const aside = `${LOCK}-stale-${process.pid}`;
  try {
    renameSync(LOCK, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside) === owner) rmSync(aside, { force: true });
  else renameSync(aside, LOCK);
};

/** One command at a time installs and builds; the others wait and then find it done. */
export const inTurn = async (work) => {
  try {
    mkdirSync(FOLDER, { recursive: true });
  } catch (error) {
    throw asFault(error);
  }
  let told = false;
  while (!tryLock()) {
    const owner = readLock(LOCK);
    if (owner !== undefined && isStale(owner)) removeStale(owner);
    else {
      if (!told) process.stdout.write('posthorn: waiting for another command that installs or builds\n');
      told = true;
      await sleep(POLL_MS);
    }
  }
  const release = () => rmSync(LOCK, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
};
