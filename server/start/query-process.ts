import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Log } from '../ground/log/index.ts';

const SCRIPT = fileURLToPath(new URL('../query-main.ts', import.meta.url));
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** One that has run for so long had no fault from the start. */
const STEADY_MS = 60_000;
const STOP_MS = 5_000;
/** How long a call waits for a service that is starting. */
const WAIT_MS = 20_000;
/** The limit of the service's heap: answers are limited in size, and each admin has one running query. */
const FLAGS = ['--max-old-space-size=512', '--disable-warning=ExperimentalWarning'];

export interface QueryProcess {
  start: () => void;
  /** Undefined if it is not running, and does not within a while. */
  url: () => Promise<string | undefined>;
  stop: () => Promise<void>;
}

/** The query service beside this process: once started, it is started again whenever it ends by itself. */
export const openQueryProcess = (log: Log): QueryProcess => {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  const started = new EventEmitter().setMaxListeners(0);

  const start = (): void => {
    if (stopping) return;
    const begun = Date.now();
    let words = '';
    const spawned = spawn(process.execPath, [...FLAGS, SCRIPT], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      // In a process group of its own: a Ctrl-C reaches it once, from here.
      detached: true,
    });
    child = spawned;
    spawned.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2_000);
    });
    spawned.on('message', (message: { url: string }) => {
      url = message.url;
      started.emit('url');
    });
    spawned.once('error', (error) => log.error({ err: error }, 'the query service can not be started'));
    spawned.once('exit', (code, signal) => {
      url = undefined;
      if (stopping) return;
      log.error({ code, signal, words }, 'the query service ended and is started again');
      if (Date.now() - begun > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      timer = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };

  return {
    start,
    url: async () => {
      if (!url && !stopping)
        await once(started, 'url', { signal: AbortSignal.timeout(WAIT_MS) }).catch(() => {});
      return url;
    },
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = child;
      const over = once(ended, 'exit');
      ended.kill('SIGTERM');
      const late = setTimeout(() => ended.kill('SIGKILL'), STOP_MS);
      await over;
      clearTimeout(late);
    },
  };
};
