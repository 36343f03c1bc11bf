import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Begin, FromSession, ToSession } from './protocol.ts';

const SCRIPT = fileURLToPath(new URL('./session-main.ts', import.meta.url));
/** Its own part is small: the browser holds the rest. */
const FLAGS = ['--max-old-space-size=192', '--disable-warning=ExperimentalWarning'];
const LONGEST_WORDS = 1_000;

/** All that a browser needs of the environment: none of the program's settings is among it. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

interface SessionEvents {
  told: (told: FromSession) => void;
  /** It is over, by itself or not; `words`: the last that it wrote. */
  ended: (words: string) => void;
}

export interface SessionProcess {
  post: (said: ToSession) => void;
  pid: number | undefined;
  /** Its own process group and its browser's. */
  groups: () => number[];
  /** Resolves once neither it nor its browser runs. What has not ended in time is killed. */
  end: (timeoutMs: number) => Promise<void>;
}

/** A group that is gone has nothing to end. */
const killGroup = (group: number): void => {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Whether this id is still that of the browser of this folder: ids are given again. */
const runsWith = async (pid: number, folder: string): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(folder);

/**
 * One process for one device, with no access to the program's secrets. It and its browser are in process groups of their
 * own, so that they are ended by their ids, and nothing else is.
 */
export const startSessionProcess = (
  begin: Begin,
  { environment, ...events }: SessionEvents & { environment: Record<string, string> },
): SessionProcess => {
  let words = '';
  let browser: number | undefined;
  const child: ChildProcess = spawn(process.execPath, [...FLAGS, SCRIPT], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: true,
    env: { ...ENVIRONMENT, ...environment, HOME: begin.folder },
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LONGEST_WORDS);
  });
  child.on('message', (told: FromSession) => {
    if (told.kind === 'browser') browser = told.pid;
    events.told(told);
  });

  const endBrowser = async (): Promise<void> => {
    if (browser !== undefined && (await runsWith(browser, begin.folder))) killGroup(browser);
  };
  const over = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      words ||= error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  }).then(async () => {
    await endBrowser();
    events.ended(words);
  });

  /** It may be gone already: then its end is told. */
  const post = (said: ToSession): void => {
    if (child.connected) child.send(said, () => {});
  };
  post(begin);
  return {
    post,
    pid: child.pid,
    groups: () => [child.pid, browser].filter((group) => group !== undefined),
    end: async (timeoutMs) => {
      post({ kind: 'stop' });
      const late = setTimeout(() => child.pid !== undefined && killGroup(child.pid), timeoutMs);
      await over;
      clearTimeout(late);
    },
  };
};
