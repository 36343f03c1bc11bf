import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Listed {
  pid: number;
  parent: number;
  zombie: boolean;
}

const list = async (): Promise<Listed[]> => {
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

/** The process and all its descendants: PostgreSQL, its sessions and its guard. */
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
