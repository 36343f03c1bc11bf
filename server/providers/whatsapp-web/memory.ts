import { readdir, readFile } from 'node:fs/promises';

const PROCESSES = '/proc';
const GROUP = /^NSpgid:\s+(\d+)/m;
/** What a process holds for itself: files and memory that it shares with others are not counted twice. */
const OWN = /^RssAnon:\s+(\d+) kB/m;

/** The memory of each process group in bytes; empty where the system does not tell, which is anywhere but on Linux. */
const memoryByGroup = async (): Promise<Map<number, number>> => {
  const found = new Map<number, number>();
  const ids = (await readdir(PROCESSES).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const statuses = await Promise.all(
    // One that has ended meanwhile has no status any more.
    ids.map((id) => readFile(`${PROCESSES}/${id}/status`, 'utf8').catch(() => '')),
  );
  for (const status of statuses) {
    const group = Number(GROUP.exec(status)?.[1]);
    if (group) found.set(group, (found.get(group) ?? 0) + Number(OWN.exec(status)?.[1] ?? 0) * 1_024);
  }
  return found;
};

interface Watched {
  groups: () => number[];
  onExcess: () => void;
}

export interface MemoryWatch {
  /** Calls `onExcess` once if these groups hold too much. The returned function ends the watch. */
  watch: (watched: Watched) => () => void;
}

/** One look for all devices: it has to read the status of every process of the machine. */
export const openMemoryWatch = ({
  mostBytes,
  everyMs,
}: {
  mostBytes: number;
  everyMs: number;
}): MemoryWatch => {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const byGroup = await memoryByGroup();
    for (const one of [...all]) {
      const used = one.groups().reduce((sum, group) => sum + (byGroup.get(group) ?? 0), 0);
      if (used > mostBytes && all.delete(one)) one.onExcess();
    }
  };
  return {
    watch: (watched) => {
      all.add(watched);
      timer ??= setInterval(() => void look(), everyMs);
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
};
