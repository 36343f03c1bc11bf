import { execFileSync } from 'node:child_process';

interface Process {
  pid: number;
  parent: number;
  kilobytes: number;
  command: string;
}

const all = (): Process[] =>
  execFileSync('ps', ['-eww', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8', maxBuffer: 64e6 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, kilobytes, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined
        ? []
        : [{ pid: Number(pid), parent: Number(parent), kilobytes: Number(kilobytes), command }];
    });

/** A process and all that it started, directly or not. */
export const treeOf = (pid: number): Process[] => {
  const processes = all();
  const collect = (root: number): Process[] => [
    ...processes.filter((one) => one.pid === root),
    ...processes.filter((one) => one.parent === root).flatMap((one) => collect(one.pid)),
  ];
  return collect(pid);
};

/** Processes that name this folder, such as a database that runs on it. */
export const processesOn = (folder: string): Process[] =>
  all().filter(({ command }) => command.includes(folder));
