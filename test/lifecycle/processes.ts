import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Listed {
  pid: number;
  parent: number;
  zombie: boolean;
}

/** Of proc(5): `pid (name) state parent …`; a name may hold spaces and brackets. */
const STAT = /^(\d+) \(.*\) (\S) (\d+) /s;

/** Linux may lack `ps`, but not /proc. */
const listProc = async (): Promise<Listed[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // One that has ended meanwhile can't be read any more.
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((stat) => {
    const [, pid, state, parent] = STAT.exec(stat) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), zombie: state === 'Z' }];
  });
};

const listPs = async (): Promise<Listed[]> => {
  const { stdout } = await execute('ps', ['-eo', 'pid=,ppid=,stat=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state]) => ({
      pid: Number(pid),
      parent: Number(parent),
      zombie: state?.startsWith('Z') ?? false,
    }));
};

const list = process.platform === 'linux' ? listProc : listPs;

/** The process and all that came from it: PostgreSQL, its sessions and its guard. */
export const familyOf = async (pid: number | undefined): Promise<number[]> => {
  const all = await list();
  const family = [pid ?? 0];
  for (const member of family)
    family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  return family;
};

const alive = async (pids: number[]): Promise<number[]> =>
  (await list()).filter(({ pid, zombie }) => !zombie && pids.includes(pid)).map(({ pid }) => pid);

/** Waits until none of them is left; returns those that remain. */
export const leftOf = async (pids: number[], timeoutMs: number): Promise<number[]> => {
  const end = Date.now() + timeoutMs;
  let left = await alive(pids);
  while (left.length > 0 && Date.now() < end) {
    await sleep(100);
    left = await alive(pids);
  }
  return left;
};

export const postgresPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
