import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Program, type ProgramOptions, startProgram } from '../program.ts';

/** A folder that goes when the test has ended; DATA_DIR is to be made inside it by the program. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-life-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
};

export const newDataDir = async (): Promise<string> => join(await temporaryFolder(), 'data');

/** The program, ended with the test whatever becomes of it. */
export const running = async (options: ProgramOptions): Promise<Program> => {
  const program = await startProgram(options);
  onTestFinished(async () => {
    await program.stop();
  });
  return program;
};
