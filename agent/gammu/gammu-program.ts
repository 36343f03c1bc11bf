import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Ran {
  /** What it printed on its standard output and, after that, as errors. */
  output: string;
  errors: string;
  code: number | undefined;
}

export interface Gammu {
  /** One command after another. */
  run: (args: string[], options?: { input?: string; timeoutMs?: number }) => Promise<Ran>;
  /** Several in one run, since each run begins with seconds of greetings. What each printed; it ends with the first that fails. */
  batch: (commands: string[]) => Promise<{ printed: string[]; failure: string | undefined }>;
}

const TIMEOUT_MS = 60_000;

interface GammuProgramOptions {
  program: string;
  /** For its files. */
  folder: string;
  device: string;
  connection: string;
}

/**
 * Runs the `gammu` program, a command at a time: it talks to the modem and ends. Texts go by its standard input, since
 * everybody on the machine may see arguments.
 */
export const openGammu = ({ program, folder, device, connection }: GammuProgramOptions): Gammu => {
  const configPath = join(folder, 'gammurc');
  /**
   * It locks the device, so that a run that outlived a killed agent is not disturbed: the next one fails until then.
   * The lock is named after the device, so links are followed, each time, since they may change.
   */
  const configure = (): void =>
    writeFileSync(
      configPath,
      `[gammu]\ndevice = ${realpathSync(device)}\nconnection = ${connection}\nmodel = at\nuse_locking = yes\n`,
      { mode: 0o600 },
    );
  let turn: Promise<unknown> = Promise.resolve();
  const run = (args: string[], input: string, timeoutMs: number): Promise<Ran> =>
    new Promise((resolve, reject) => {
      configure();
      // Its own words in English and UTF-8, whatever the machine's language.
      const child = spawn(program, ['-c', configPath, ...args], {
        env: { LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const heard = { output: '', errors: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        heard.output += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        heard.errors += text;
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ ...heard, code: code ?? undefined });
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  const inTurn: Gammu['run'] = (args, { input = '', timeoutMs = TIMEOUT_MS } = {}) => {
    const done = turn.then(() => run(args, input, timeoutMs));
    turn = done.catch(() => {});
    return done;
  };
  return {
    run: inTurn,
    batch: async (commands) => {
      // It prints the file's name before each command. A name that nobody can guess keeps texts from looking like that.
      const file = join(folder, randomBytes(16).toString('hex'));
      // The last one ends what the one before it printed.
      writeFileSync(file, `${commands.join('\n')}\nversion\n`, { mode: 0o600 });
      try {
        const { output, errors, code } = await inTurn(['batch', file]);
        const printed = output.split(`Executing batch "${file}" - command `).slice(1, commands.length + 1);
        return {
          printed: printed.map((part) => part.slice(part.indexOf('\n') + 1).replace(/-{76}\n$/, '')),
          failure: code === 0 ? undefined : lastLine(errors) || lastLine(output) || 'gammu failed',
        };
      } finally {
        rmSync(file);
      }
    },
  };
};

export const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
