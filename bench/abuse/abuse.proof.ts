import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Definition, Result } from '../definition.ts';
import { table } from '../measuring/table.ts';
import { openPosthorn } from '../posthorn.ts';
import { runClients } from './abuse-clients.ts';
import { runFuzz } from './abuse-fuzz.ts';

const PARTS = { clients: runClients, fuzz: runFuzz };

const definition: Definition = {
  title: 'Hostile clients: attacks one after another, then requests made up from the schemas',
  parts: Object.keys(PARTS),
  run: async ({ quick, parts, size }) => {
    const all: Result = { rows: [], figures: {}, bars: [] };
    const folder = await mkdtemp(join(tmpdir(), 'posthorn-abuse-'));
    const posthorn = await openPosthorn(folder);
    const chosen = Object.entries(PARTS).filter(([name]) => parts.length === 0 || parts.includes(name));
    try {
      for (const [name, runPart] of chosen) {
        const { rows, figures, bars } = await runPart({ posthorn, folder, quick, size });
        // The tables have different columns, so all but the last are shown here.
        if (name === chosen.at(-1)?.[0]) all.rows = rows;
        else console.log(`${table(rows)}\n`);
        Object.assign(
          all.figures,
          Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${name}.${figure}`, value])),
        );
        all.bars.push(...bars.map((bar) => ({ ...bar, figure: `${name}.${bar.figure}` })));
      }
      return all;
    } finally {
      await posthorn.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
export default definition;
