import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Program } from '../../test/program.ts';
import { insist } from '../load/insist.ts';
import { openPosthorn } from '../posthorn.ts';
import { startEventSink } from '../webhooks/event-sink.ts';
import { readTaken, startCentre } from './centre.ts';
import { changeAccount } from './sending-stage.ts';

const ANSWER_MS = 2_000;

interface Carrier {
  window: number;
  latencyMs: number;
}

/** A message centre that is killed with `kill -9`; it writes each message to a file before it answers. */
const openCentre = async (folder: string, { window, latencyMs }: Carrier) => {
  const record = join(folder, 'taken');
  const args = [
    '--totals',
    '--magic',
    '--latency',
    String(latencyMs),
    '--receipts',
    '20',
    '--reversed',
    '--record',
    record,
  ];
  let centre = await startCentre(args);
  const { port } = centre;
  return {
    url: centre.url({ binds: 1, window, timeoutMs: ANSWER_MS }),
    kill: async (): Promise<void> => {
      await centre.kill();
      await sleep(200);
      centre = await startCentre([...args, '--port', String(port)]);
    },
    /** Submits since it was started. */
    submits: async () => (await centre.counts()).submits,
    /** By digits and text. */
    taken: () => readTaken(record),
    close: () => centre.kill(),
  };
};

const KILLABLE = ['worker', 'web', 'carrier', 'database', 'all'] as const;
export type Killable = (typeof KILLABLE)[number];

/** The program as web and worker, a message centre, a receiver of events, and two accounts with money. */
export const openScene = async (folder: string, carrier: Carrier) => {
  const record = join(folder, 'events');
  const sink = await startEventSink(record);
  const posthorn = await openPosthorn(folder);
  const centre = await openCentre(folder, carrier);
  // The same address after each start, as behind a load balancer.
  const port = String(await freePort());
  const env = { SMPP_URLS: centre.url };
  const startWeb = () => insist(() => posthorn.start(['web'], { ...env, PORT: port }));
  const startWorker = () => insist(() => posthorn.start(['worker'], env));
  let [web, worker] = await Promise.all([startWeb(), startWorker()]);
  const { url } = web;
  const [plain, subscriber] = await posthorn.customers(2);
  if (!plain || !subscriber) throw new Error('nobody can send');
  await changeAccount(url, subscriber, { path: 'setting', body: { webhook: sink.url } });

  const kills: Record<Killable, () => Promise<void>> = {
    worker: async () => {
      await posthorn.kill([worker], { database: false });
      worker = await startWorker();
    },
    web: async () => {
      await posthorn.kill([web], { database: false });
      web = await startWeb();
    },
    carrier: centre.kill,
    database: () => posthorn.kill([], { database: true }),
    all: async () => {
      await posthorn.kill([web, worker], { database: true });
      [web, worker] = await Promise.all([startWeb(), startWorker()]);
    },
  };
  return {
    db: posthorn.db,
    posthorn,
    url,
    plain,
    subscriber,
    centre,
    record,
    window: carrier.window,
    kill: (what: Killable) => kills[what](),
    /** One more process of the web role, for as long as the scene lasts. */
    startWeb: (): Promise<Program> => posthorn.start(['web'], env),
    close: async () => {
      await posthorn.close();
      await centre.close();
      await sink.close();
    },
  };
};
export type Scene = Awaited<ReturnType<typeof openScene>>;
