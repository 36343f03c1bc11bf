import { arch, cpus, release, totalmem, type } from 'node:os';

const GIGABYTE = 1024 ** 3;

/** Where and when figures were measured. */
export const describeMachine = (now = new Date()): string => {
  const [cpu] = cpus();
  return [
    now.toISOString().slice(0, 10),
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    `${Math.round(totalmem() / GIGABYTE)} GB`,
    `${type()} ${release()} ${arch()}`,
    `Node ${process.versions.node}`,
  ].join(', ');
};
