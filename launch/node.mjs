import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { ROOT } from './root.mjs';

/** The first version that runs TypeScript directly and stably. */
const NODE_WANTED = 24;
const PARENT_POLL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const major = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

export const isWantedNode = () => major(process.version) >= NODE_WANTED;

/** The Node that the optional packages install for this system. */
const findNode = () => {
  const name = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const found = [`node-${name}-${process.arch}`, `node-bin-${name}-${process.arch}`]
    .map((folder) => join(ROOT, 'node_modules', folder, program))
    .filter((path) => existsSync(path))
    .find((path) => {
      const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
      return major(stdout ?? '') >= NODE_WANTED;
    });
  if (!found)
    throw new Fault(
      `Posthorn runs on Node.js ${NODE_WANTED}, and neither this one (${process.version}) nor the packages for ${process.platform}-${process.arch} have it: install Node.js ${NODE_WANTED} or later from https://nodejs.org.`,
    );
  return found;
};

/** Runs the same command on the newer Node, and passes on its flags, signals and exit code. */
export const runOnWantedNode = (script, args) => {
  // Flags that limit memory and threads; others, such as a debugger's port, are for one process only.
  const flags = process.execArgv.filter((flag) => /^--(max|v8)-/.test(flag));
  // The channel tells the child when this process has ended, even by kill -9.
  const child = spawn(findNode(), [...flags, script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
};

/**
 * A command ends with the process that started it: an older Node, whose channel closes, or npm, which can't pass on a
 * kill -9. The parent's id is the only sign of npm's end.
 */
export const endWithStarter = () => {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.channel) {
    process.once('disconnect', end);
    process.channel.unref();
  } else if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      end();
    }, PARENT_POLL_MS);
    timer.unref();
  }
};

/**
 * Some versions print a warning that type stripping is experimental, which does not help the person at the terminal.
 */
export const silenceExperimental = () => {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.stack ?? warning.message}\n`);
  });
};
