import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../test/program.ts';
import { type Centre, startCentre } from './centre.ts';
import { hasKannel, type Kannel, startKannel } from './kannel.ts';
import { type Customer, openPosthorn, type Posthorn } from './posthorn.ts';
import { WATCHED } from './sending-latency.ts';

const WINDOW = 100;
const BIND_MS = 30_000;

/** Posthorn and Kannel, each with its own message centre of the same kind. */
export interface Stage {
  kannel: { kannel: Kannel; centre: Centre } | undefined;
  posthorn: Posthorn;
  centre: Centre;
  url: string;
  port: number;
  web: Program;
  worker: Program;
  customer: Customer;
  /** The secrets of the many concurrent senders. */
  customers: Customer[];
  close: () => Promise<void>;
}

interface StageOptions {
  /** How many send singles concurrently, each from its own account. */
  customers: number;
  /** Web and worker as one process, as `npm start` runs them. */
  together?: boolean;
  withKannel: boolean;
}

export const openStage = async ({ customers, together, withKannel }: StageOptions): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-bench-'));
  await using opening = new AsyncDisposableStack();
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const openCentre = async (args: string[] = []): Promise<Centre> => {
    const centre = await startCentre(['--totals', ...args]);
    opening.defer(centre.kill);
    return centre;
  };
  const centre = await openCentre(['--watch', WATCHED]);
  const posthorn = await openPosthorn(folder);
  opening.defer(posthorn.close);
  const [customer, ...others] = await posthorn.customers(customers + 1);
  if (!customer) throw new Error('nobody can send');
  const env = { SMPP_URLS: centre.url({ binds: 1, window: WINDOW }) };
  const worker = await posthorn.start(together ? ['web', 'worker'] : ['worker'], env);
  const web = together ? worker : await posthorn.start(['web'], env);
  await centre.until(({ binds }) => binds > 0, BIND_MS);
  let kannel: Stage['kannel'];
  if (withKannel && hasKannel()) {
    const itsCentre = await openCentre();
    const started = await startKannel(folder, itsCentre.port);
    opening.defer(started.stop);
    await itsCentre.until(({ binds }) => binds > 0, BIND_MS);
    kannel = { kannel: started, centre: itsCentre };
  }
  const ending = opening.move();
  return {
    kannel,
    posthorn,
    centre,
    url: web.url,
    port: Number(new URL(web.url).port),
    web,
    worker,
    customer,
    customers: others,
    close: () => ending.disposeAsync(),
  };
};
