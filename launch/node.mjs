import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { ROOT } from './root.mjs';

/** The first that runs TypeScript as it is, for good. */
const NODE_WANTED = 24;
const PARENT_POLL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const major = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

export const isWantedNode = () => major(process.version) >= NODE_WANTED;

/** The Node that the optional packages bring for this system. */
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

/** Runs the same command on the newer Node, with its flags, signals and exit code passed on. */
export const runOnWantedNode = (script, args) => {
  // Those that bound memory; others, such as a debugger's port, are for one process only.
  const flags = process.execArgv.filter((flag) => flag.startsWith('--max-'));
  // The channel tells the child when this process is gone, even by kill -9.
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
 * A command ends with what has started it: an older Node, whose channel closes, or npm, which cannot pass on
 * a kill -9. The parent's id is all there is to see of npm's end.
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

/** Some versions call type stripping experimental, which tells the person at the terminal nothing. */
export const hushExperimental = () => {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.stack ?? warning.message}\n`);
  });
};
