import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import { CAREFUL, type DeviceDriver, openDeviceCarrier } from '../server/fleet/devices/index.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { deviceSimulator } from '../server/providers/simulator/index.ts';
import { runDelivery } from '../server/traffic/delivery/index.ts';
import { type Carrier, newWorker, openLanes, type SendOutcome } from '../server/traffic/lanes/index.ts';
import { openCounterLink } from './search/counter-link.ts';

/** What the proof passes to a worker, as one argument of JSON. */
export interface DevicesWorkerOptions {
  databaseUrl: string;
  name: string;
  /** Opens the sessions, in hex. */
  key: string;
  leaseMs: number;
  /** Of the counter. */
  port: number;
  /** Where this machine's workers keep their journals. */
  journals: string;
}

/** How much faster than usual simulated devices are. */
const PACE = 0.02;

/** Simulated devices whose messages the proof counts as soon as they are out. */
const countedDevices = (port: number): DeviceDriver => {
  const driver = deviceSimulator({ recipients: SIMULATED_RECIPIENTS, pace: PACE });
  return {
    ...driver,
    carrier: (surroundings) => {
      const carrier: Carrier = driver.carrier(surroundings);
      const link = openCounterLink(surroundings.device.deviceId, port);
      const send: Carrier['send'] = async (message): Promise<SendOutcome> => {
        const outcome = await carrier.send(message);
        if (outcome.outcome !== 'accepted') return outcome;
        return (await link.count(message.id))
          ? outcome
          : { outcome: 'unknown', reason: 'The connection broke.' };
      };
      return {
        ...carrier,
        open: async (events) => {
          await link.open(() => {});
          await carrier.open(events);
        },
        isUp: () => carrier.isUp() && link.isOpen(),
        send,
        close: async (timeoutMs) => {
          await carrier.close(timeoutMs);
          link.close();
        },
      };
    },
  };
};

/** A worker that serves devices and nothing else. */
const main = async ({
  databaseUrl,
  name,
  key,
  leaseMs,
  port,
  journals,
}: DevicesWorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 5, onError: () => {} });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const worker = newWorker(name);
  const lanes = await openLanes(db, worker, []);
  const devices = {
    db,
    secretKey: Buffer.from(key, 'hex'),
    drivers: [countedDevices(port)],
    laneProviders: [],
    policy: CAREFUL,
    requireRealSender: async () => {},
    emailsOf: async () => new Map(),
  };
  const delivery = runDelivery({
    db,
    log,
    url: databaseUrl,
    worker,
    lanes,
    journals: { folder: journals },
    timing: { leaseMs },
    openCarrier: (lane) => openDeviceCarrier(devices, lane),
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
