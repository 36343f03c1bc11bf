import { spawn } from 'node:child_process';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../node_modules');

/** The path of each tool's script, so that it runs on this Node and needs no shell. */
const SCRIPTS = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
};

/** The tools write into a pipe, so they can't see themselves whether a person is watching. */
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { FORCE_COLOR: undefined };

interface ToolRun {
  code: number;
  output: string;
}

interface ToolOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  /** Also shows the output as it arrives. */
  live?: boolean;
  timeoutSeconds?: number;
}

export const runProgram = (
  [command, ...args]: [string, ...string[]],
  { cwd, env, live, timeoutSeconds }: ToolOptions,
): Promise<ToolRun> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...colours, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(timeoutSeconds && { timeout: timeoutSeconds * 1000 }),
    });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk;
      if (live) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });

export const runTool = (tool: keyof typeof SCRIPTS, args: string[], options: ToolOptions): Promise<ToolRun> =>
  runProgram([process.execPath, join(MODULES, SCRIPTS[tool]), ...args], options);
