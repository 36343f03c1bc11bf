import { openDatabase } from '../../server/ground/postgres/index.ts';
import { runDelivery } from '../../server/traffic/delivery/index.ts';
import {
  type Carrier,
  newWorker,
  openLanes,
  openSettings,
  readSealedOptions,
  type SendOutcome,
} from '../../server/traffic/lanes/index.ts';
import { openCounterLink } from '../search/counter-link.ts';

/** What the proof passes to a worker, as one argument of JSON. */
export interface ProofWorkerOptions {
  databaseUrl: string;
  name: string;
  place: string;
  /** Opens the settings of lanes, in hex. */
  key: string;
  leaseMs: number;
  /** Where the carrier of its own lane is. */
  port: number;
}

/** A carrier over a connection of its own to the proof, which counts what it is given. */
const countedCarrier = (name: string, port: number): Carrier => {
  const link = openCounterLink(name, port);
  return {
    provider: 'proof',
    channel: 'sms',
    simulated: false,
    window: 5,
    open: ({ state }) => link.open(() => state({ up: false, reason: 'closed' })),
    isUp: link.isOpen,
    send: async ({ id }): Promise<SendOutcome> =>
      (await link.count(id))
        ? { outcome: 'accepted', providerMessageId: `proof-${id}` }
        : { outcome: 'unknown', reason: 'The connection broke.' },
    close: async () => link.close(),
  };
};

/** A worker with one lane of its own settings and all that admins made for its place. */
const main = async ({ databaseUrl, name, place, key, leaseMs, port }: ProofWorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 5, onError: () => {} });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const worker = newWorker(name, place);
  const own = `own-${name}`;
  const lanes = await openLanes(db, worker, [
    {
      name: own,
      channel: 'sms',
      provider: 'proof',
      simulated: false,
      preference: 100,
      route: 'sms',
      carrier: () => countedCarrier(own, port),
    },
  ]);
  const delivery = runDelivery({
    db,
    log,
    url: databaseUrl,
    worker,
    lanes,
    timing: { leaseMs, failoverAfterMs: 2_000 },
    openCarrier: async (lane) => {
      const sealed = (await readSealedOptions(db, [lane.id])).get(lane.id);
      if (!sealed) return undefined;
      const settings = openSettings(Buffer.from(key, 'hex'), lane.id, sealed);
      return () => countedCarrier(lane.name, Number(settings.PORT));
    },
  });
  process.send?.('ready');
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', async () => {
    await delivery.stop(3_000);
    await close();
    process.exit(0);
  });
};

await main(JSON.parse(process.argv[2] ?? '{}'));
