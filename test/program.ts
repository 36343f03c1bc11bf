import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { MAILBOX_TOKEN } from './api.ts';
import { listenOn } from './emulators/listen-on.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../posthorn.mjs', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: { start: string } };
/** As in `npm start`. */
const FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
/** Generous: a first start on a busy machine initialises a database and makes the demo. */
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 120_000;

export interface ProgramOptions {
  dataDir: string;
  /** Settings on top of a clean environment; PORT is a free one unless given. */
  env?: Record<string, string>;
  args?: string[];
  /** `start` unless given. */
  command?: 'dev';
  /** The user to run as, if the tests run as root. */
  user?: { uid: number; gid: number };
  /** Wraps the command in another one, such as one that runs it in a namespace. */
  wrap?: (command: string[]) => string[];
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  url: string;
  process: ChildProcess;
  /** Everything printed so far, stdout and stderr in the order of arrival. */
  output: () => string;
  /** Waits for the end of a program that ends itself or was signalled. */
  ended: () => Promise<Ended>;
  /** SIGTERM (or the signal given) and wait for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<Ended>;
  /** `kill -9` and wait for the end. */
  kill: () => Promise<Ended>;
}

export const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listenOn(server);
  server.close();
  await once(server, 'close');
  return port;
};

/** The caller's settings must not leak into the program under test. */
const cleanEnvironment = (): Record<string, string> => {
  const kept = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'TZ'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
};

/** Starts the program without waiting for it to be ready: for starts that are meant to fail. */
export const launchProgram = async (options: ProgramOptions): Promise<Program> => {
  const port = options.env?.PORT ?? String(await freePort());
  const command = [process.execPath, ...FLAGS, LAUNCHER, options.command ?? 'start', ...(options.args ?? [])];
  const [file = '', ...args] = options.wrap?.(command) ?? command;
  const child = spawn(file, args, {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      DATA_DIR: options.dataDir,
      MAILBOX_TOKEN,
      ...options.env,
      PORT: port,
    },
    // The channel ends the program with its starter, even if the test runner is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own process group, so that a Ctrl-C in the test runner does not reach it.
    detached: true,
    ...options.user,
  });
  let stdout = '';
  let stderr = '';
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    output += text;
  });
  // A killed test run must not leave the program behind.
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const closed = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', killWithUs);
      resolve({ code, signal, stdout, stderr });
    });
  });
  closed.catch(() => {});
  const ended = () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The program did not end:\n${output}`)), STOP_TIMEOUT_MS);
    });
    return Promise.race([closed, late]).finally(() => clearTimeout(timer));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output: () => output,
    ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended();
    },
    kill: () => {
      child.kill('SIGKILL');
      return ended();
    },
  };
};

/** Polls /readyz until it answers 200; fails as soon as the program has ended. */
export const untilReady = async (program: Program, timeoutMs = START_TIMEOUT_MS): Promise<void> => {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (program.process.exitCode !== null || program.process.signalCode !== null)
      throw new Error(`The program ended before it was ready:\n${program.output()}`);
    const ready = await fetch(`${program.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The program was not ready within ${timeoutMs} ms:\n${program.output()}`);
};

/** Starts the real program as `npm start` does and waits until it is ready. */
export const startProgram = async (options: ProgramOptions): Promise<Program> => {
  const program = await launchProgram(options);
  try {
    await untilReady(program);
    return program;
  } catch (error) {
    await program.kill();
    throw error;
  }
};
