import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '../postgres/index.ts';
import type { Embedded } from './embedded.ts';

const execute = promisify(execFile);

const POLL_MS = 50;
const READY_MS = 15_000;
/** Of a process, the lowest; of a session a tenth of the usual share, so that a long statement still gets on. */
const BEHIND = { process: 19, session: 10 };

/** Of proc(5): `pid (name) state parent …`; a name may hold spaces and brackets. */
const STAT = /^\d+ \(.*\) \S (\d+) /s;

const parentOf = (pid: number): Promise<number> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => Number(STAT.exec(stat)?.[1]),
    () =>
      execute('ps', ['-o', 'ppid=', '-p', String(pid)]).then(
        ({ stdout }) => Number(stdout),
        () => Number.NaN,
      ),
  );

/** Ends by force what a server of ours does not end when it is asked to. */
export const openBackends = ({ url, pid: serverPid }: Pick<Embedded, 'url' | 'pid'>) => {
  // As the owner, for whom the server keeps connections free; it breaks with every end by force.
  const { pool, close } = openDatabase({ url, max: 2, onError: () => {} });

  /**
   * Finds the session by process id and start time, which together are never reused. Throws if the server does not
   * answer.
   */
  const isThere = async (backend: string): Promise<boolean> => {
    const { rowCount } = await pool.query(
      "select from pg_stat_activity where pid || ' ' || extract(epoch from backend_start) = $1",
      [backend],
    );
    return rowCount === 1;
  };

  return {
    isThere,

    /** The server then ends all its connections and starts again. False: it is not, or no more, a process of this server. */
    kill: async (backend: string): Promise<boolean> => {
      const pid = Number(backend.split(' ')[0]);
      if (!(await isThere(backend)) || (await parentOf(pid)) !== serverPid()) return false;
      process.kill(pid, 'SIGKILL');
      return true;
    },

    /** Behind all other work at the processor: it has had more of it than most statements need. */
    putBehind: async (backend: string): Promise<void> => {
      const pid = Number(backend.split(' ')[0]);
      if ((await parentOf(pid)) !== serverPid()) return;
      setPriority(pid, BEHIND.process);
      // Linux gives each session, which each connection is to it, the same share, whatever the priority within.
      await writeFile(`/proc/${pid}/autogroup`, String(BEHIND.session), { flag: 'r+' }).catch(() => {});
    },

    /** Resolves once the server answers, or after waiting too long. */
    ready: async (): Promise<void> => {
      const until = Date.now() + READY_MS;
      while (Date.now() < until) {
        const answers = await pool.query('select').then(
          () => true,
          () => false,
        );
        if (answers) return;
        await sleep(POLL_MS);
      }
    },

    close,
  };
};
