import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, startProgram } from '../test/program.ts';
import type { Definition } from './definition.ts';
import { treeOf } from './measuring/processes.ts';

const SETTLE_MS = 2_000;

const timed = async (dataDir: string): Promise<{ program: Program; seconds: number }> => {
  const begun = performance.now();
  const program = await startProgram({ dataDir });
  return { program, seconds: (performance.now() - begun) / 1000 };
};

const megabytes = (pid: number | undefined): { node: number; postgres: number } => {
  const tree = treeOf(pid ?? 0);
  const sum = (isPostgres: boolean) =>
    tree
      .filter(({ command }) => /postgres/.test(command.split(' ')[0] ?? '') === isPostgres)
      .reduce((total, { kilobytes }) => total + kilobytes / 1000, 0);
  return { node: sum(false), postgres: sum(true) };
};

/** How long a person waits for `npm start`, and what the program then costs while nobody uses it. */
const definition: Definition = {
  title: 'Starting the program',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-startup-'));
    try {
      const first = await timed(dataDir);
      await first.program.stop();
      const again: number[] = [];
      let memory = { node: 0, postgres: 0 };
      for (let round = 0; round < (quick ? 1 : 5); round += 1) {
        const { program, seconds } = await timed(dataDir);
        again.push(seconds);
        await new Promise((resolve) => setTimeout(resolve, quick ? 0 : SETTLE_MS));
        memory = megabytes(program.process.pid);
        await program.stop();
      }
      const slowest = Math.max(...again);
      return {
        rows: [
          { what: 'first start, with a new database and the demo (s)', figure: first.seconds },
          { what: `later starts, the slowest of ${again.length} (s)`, figure: slowest },
          { what: 'idle memory of the program (MB)', figure: memory.node },
          {
            what: 'idle memory of its PostgreSQL, shared pages counted in each process (MB)',
            figure: memory.postgres,
          },
        ],
        figures: {
          firstStartSeconds: first.seconds,
          laterStartSeconds: slowest,
          programMegabytes: memory.node,
          postgresMegabytes: memory.postgres,
        },
        bars: [{ figure: 'laterStartSeconds', max: 5 }],
      };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
