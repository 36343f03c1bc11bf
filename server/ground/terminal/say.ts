import { StartFault } from './start-fault.ts';

/** Tells the person at the terminal how far a command is. */
export const say = (line: string): void => {
  process.stdout.write(`posthorn: ${line}\n`);
};

/** One sentence for what a person can fix; the whole error for what only we can. */
export const sayFault = (error: unknown): void => {
  const full = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`posthorn: ${error instanceof StartFault ? error.message : full}\n`);
};
