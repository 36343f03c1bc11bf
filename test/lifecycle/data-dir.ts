import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
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

let model: Promise<string> | undefined;
const makeModel = async (): Promise<string> => {
  const folder = await makeFolder();
  await (await startProgram({ dataDir: join(folder, 'data') })).stop();
  return folder;
};
afterAll(async () => {
  if (model) await removeFolder(await model);
});

/** A DATA_DIR with the demo, as the first start leaves it: copied, because creating it takes longest. */
export const usedDataDir = async (): Promise<string> => {
  model ??= makeModel();
  const dataDir = await newDataDir();
  await cp(join(await model, 'data'), dataDir, { recursive: true, preserveTimestamps: true });
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
