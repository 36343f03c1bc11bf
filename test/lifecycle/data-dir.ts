import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type Program, type ProgramOptions, startProgram } from '../program.ts';

const makeFolder = () => mkdtemp(join(tmpdir(), 'posthorn-life-'));
const removeFolder = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/** A folder that is removed when the test has ended. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
};

/** A DATA_DIR that the program has yet to create. */
export const newDataDir = async (): Promise<string> => join(await temporaryFolder(), 'data');

/** One for all files of the run. Where two make it at the same time, the first to end is taken. */
const findModel = async (): Promise<string> => {
  const model = join(inject('sharedFolder'), 'first-start');
  if (existsSync(model)) return model;
  const own = `${model}-${process.pid}`;
  await (await startProgram({ dataDir: own })).stop();
  await rename(own, model).catch(async (error) => {
    if (!existsSync(model)) throw error;
    await removeFolder(own);
  });
  return model;
};

/** A DATA_DIR with the demo, as the first start leaves it: copied, because creating it takes longest. */
export const usedDataDir = async (): Promise<string> => {
  const dataDir = await newDataDir();
  await cp(await findModel(), dataDir, { recursive: true, preserveTimestamps: true });
  return dataDir;
};

/** The program; it ends with the test in any case. */
export const running = async (options: ProgramOptions): Promise<Program> => {
  const program = await startProgram(options);
  onTestFinished(async () => {
    await program.stop();
  });
  return program;
};
