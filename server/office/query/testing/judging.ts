import { openJudging } from '../index.ts';

/** The threads of the program itself. */
export const openTestJudging = (bounds?: { processorMs: number }) =>
  openJudging(new URL('../../../start/judge-statement.ts', import.meta.url), ['postgres', 'mysql'], bounds);
