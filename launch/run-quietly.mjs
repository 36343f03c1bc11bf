import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './root.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program without showing its output; returns the output in case it fails. */
export const runQuietly = ([file, ...args], options = {}) =>
  new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    // Interrupting this command means interrupting the program that it runs, too.
    const endWithUs = () => child.kill();
    const breakOff = (signal) => process.exit(128 + constants.signals[signal]);
    process.once('exit', endWithUs);
    for (const signal of SIGNALS) process.once(signal, breakOff);
    const finish = (result) => {
      process.off('exit', endWithUs);
      for (const signal of SIGNALS) process.off(signal, breakOff);
      resolve(result);
    };
    const take = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => finish({ code: 1, output: error.message }));
    child.once('close', (code) => finish({ code: code ?? 1, output }));
  });

export const lastLines = (output, count) => output.trim().split('\n').slice(-count).join('\n');
