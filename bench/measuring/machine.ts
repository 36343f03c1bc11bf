import { execFileSync } from 'node:child_process';
import { arch, cpus, release, totalmem, type } from 'node:os';

const GIGABYTE = 1024 ** 3;

/** A clone without git, or an unpacked archive, has none. */
const commit = (): string => {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
    const isChanged = git('status', '--porcelain').trim() !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD').trim()}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'commit unknown';
  }
};

/** Where, when and of what figures were measured. */
export const describeMachine = (now = new Date()): string => {
  const [cpu] = cpus();
  return [
    now.toISOString().slice(0, 10),
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    `${Math.round(totalmem() / GIGABYTE)} GB`,
    `${type()} ${release()} ${arch()}`,
    `Node ${process.versions.node}`,
    commit(),
  ].join(', ');
};
