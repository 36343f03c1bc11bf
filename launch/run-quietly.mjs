import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

/** Runs a program without showing its output, which is answered for the case that it fails. */
export const runQuietly = ([file, ...args], options = {}) =>
  new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const endWithUs = () => child.kill();
    process.once('exit', endWithUs);
    const take = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => {
      process.off('exit', endWithUs);
      resolve({ code: code ?? 1, output });
    });
  });

export const lastLines = (output, count) => output.trim().split('\n').slice(-count).join('\n');
