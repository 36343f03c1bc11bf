import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Line } from './fleet-line.ts';
import type { EmulatedModem } from './fleet-modems.ts';

const MAIN = fileURLToPath(new URL('../../agent/main.ts', import.meta.url));

export interface PlacePlan {
  name: string;
  driver: 'serial' | 'gammu';
  /** How often a modem is looked at. */
  pollMs: number;
  /** How long a modem may take to answer. */
  answerMs: number;
}

interface AgentPlan extends PlacePlan {
  folder: string;
  key: string;
  line: Line;
  modems: EmulatedModem[];
}

/** The agent at one place as a process of its own, over a line that can be cut. */
export const startAgent = async ({ folder, key, line, modems, name, ...driven }: AgentPlan) => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'agent.json');
  const settings = {
    server: line.url,
    key,
    name,
    reconnectMinMs: 100,
    reconnectMaxMs: 1_000,
    modems: modems.map((modem) => ({ name: modem.name, path: modem.path, ...driven })),
  };
  await writeFile(file, JSON.stringify(settings));
  // In a process group of its own, with the gammu that it runs.
  const run = (): ChildProcess =>
    spawn(process.execPath, [MAIN, '--folder', folder, '--settings', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
  let child = run();
  const end = async (signal: (of: ChildProcess) => void): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    signal(child);
    await once(child, 'exit');
  };
  const killGroup = ({ pid }: ChildProcess): void => {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  };
  // A proof that is ended must not leave it behind.
  const killWithUs = (): void => void end(killGroup);
  process.once('exit', killWithUs);
  return {
    name,
    modems,
    line,
    /** `kill -9`, and the next one over the same folder. A gammu that it had started goes on, as it would anywhere. */
    restart: async (): Promise<void> => {
      await end((of) => of.kill('SIGKILL'));
      child = run();
    },
    close: async (): Promise<void> => {
      process.off('exit', killWithUs);
      await end(killGroup);
    },
  };
};
export type FleetAgent = Awaited<ReturnType<typeof startAgent>>;
