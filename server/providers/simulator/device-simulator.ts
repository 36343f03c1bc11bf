import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DeviceDriver,
  DeviceEnd,
  DeviceSurroundings,
  DrivenDevice,
} from '../../fleet/devices/driver.ts';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { type SimulatorOptions, simulator } from './simulator.ts';

type DeviceSimulatorOptions = Pick<SimulatorOptions, 'recipients' | 'pace'> & { window?: number };

/** A phone sends a few messages at a time. */
const WINDOW = 4;
/** Its owner scans the code after a moment. */
const SCAN_MS = 2_000;
const CONNECT_MS = 300;
const CODE_MS = 20_000;
const CODES = 3;
const BACK_MS = 1_000;
/** What a name foretells happens after this many messages. */
const MESSAGES = 3;

/** What becomes of a device, by a word in its name, as `contract/traffic/simulator.ts` has it for recipients. */
const ENDS: readonly (readonly [word: RegExp, why: DeviceEnd])[] = [
  [/banned/i, 'BANNED'],
  [/logout/i, 'LOGGED_OUT'],
  [/lost/i, 'PHONE_LOST'],
];
const NEVER_PAIRED = /expires/i;
const DROPS = /drops/i;
const WARNED = /warned/i;
/** It is kept safe as a real number is. */
const GOVERNED = /careful/i;

const NUMBERS: Record<string, (digits: string) => string> = {
  HK: (digits) => `+8526${digits.slice(0, 7)}`,
  CN: (digits) => `+86138${digits.slice(0, 8)}`,
  SG: (digits) => `+658${digits.slice(0, 7)}`,
  US: (digits) => `+1202555${digits.slice(0, 4)}`,
  PH: (digits) => `+63917${digits.slice(0, 7)}`,
  KH: (digits) => `+85512${digits.slice(0, 6)}`,
};

/** The same device always has the same number. */
const numberOf = ({ deviceId, countryCode, pairByCodeOf }: DrivenDevice): string => {
  if (pairByCodeOf) return pairByCodeOf;
  const digits = createHash('sha256').update(deviceId).digest('hex').replaceAll(/[a-f]/g, '');
  return (NUMBERS[countryCode] ?? ((some) => `+8526${some.slice(0, 7)}`))(digits);
};

const NOT_CONNECTED: SendOutcome = {
  outcome: 'refused',
  code: 'DEVICE_NOT_CONNECTED',
  reason: 'The device is not connected.',
  retryable: true,
};

const deviceCarrier = (
  { recipients, pace = 1, window = WINDOW }: DeviceSimulatorOptions,
  { device, session, events }: DeviceSurroundings,
): Carrier => {
  const number = numberOf(device);
  const inner = simulator({ channel: 'whatsapp', recipients, window, number, pace });
  const closed = new AbortController();
  let heard: CarrierEvents | undefined;
  let up = false;
  let sent = 0;
  let over = false;

  const wait = (ms: number): Promise<void> => sleep(ms * pace, undefined, { signal: closed.signal });
  const setUp = (isUp: boolean, reason: string): void => {
    up = isUp;
    heard?.state({ up: isUp, reason });
  };
  const end = async (why: DeviceEnd): Promise<void> => {
    if (over) return;
    over = true;
    setUp(false, `It ended: ${why}.`);
    await events.ended(why);
  };

  const pair = async (): Promise<boolean> => {
    const unused = NEVER_PAIRED.test(device.phoneName);
    for (let attempt = 1; attempt <= CODES; attempt += 1) {
      const code = createHash('sha256').update(`${device.deviceId} ${attempt}`).digest('base64url');
      await events.pairing({
        kind: device.pairByCodeOf ? 'code' : 'qr',
        text: device.pairByCodeOf ? code.slice(0, 8).toUpperCase() : `2@${code}`,
        expiresAt: new Date(Date.now() + CODE_MS * pace),
        attempt,
        attempts: CODES,
      });
      await wait(unused ? CODE_MS : SCAN_MS);
      if (!unused) return true;
    }
    await end('PAIRING_UNUSED');
    return false;
  };

  const connect = async (): Promise<void> => {
    const known = await session.read();
    if (!known) {
      if (!(await pair())) return;
      await session.write(Buffer.from(JSON.stringify({ number })));
    }
    await wait(CONNECT_MS);
    await events.paired({ phoneNumber: number, displayName: `Simulated ${device.phoneName}` });
    setUp(true, '');
  };
  const begin = (): void =>
    void connect().catch((error: Error) => {
      if (!closed.signal.aborted) setUp(false, error.message);
    });

  /** What the name foretells. */
  const befall = async (): Promise<void> => {
    if (sent % MESSAGES !== 0) return;
    const [, why] = ENDS.find(([word]) => word.test(device.phoneName)) ?? [];
    if (why) await end(why);
    else if (WARNED.test(device.phoneName) && sent === MESSAGES)
      await events.warned({ reason: 'Too many people did not know this number.' });
    else if (DROPS.test(device.phoneName) && up) {
      setUp(false, 'The connection was lost.');
      await wait(BACK_MS);
      if (!over) setUp(true, '');
    }
  };

  const send = async (message: Outgoing): Promise<SendOutcome> => {
    if (!up || closed.signal.aborted) return NOT_CONNECTED;
    const outcome = await inner.send({ ...message, from: undefined });
    if (outcome.outcome !== 'accepted') return outcome;
    sent += 1;
    void befall().catch(() => {});
    return outcome;
  };

  return {
    ...inner,
    provider: 'device-simulator',
    open: async (given) => {
      heard = given;
      await inner.open({ ...given, state: () => {} });
      setUp(false, 'It connects.');
      begin();
    },
    isUp: () => up,
    send,
    close: async (timeoutMs) => {
      closed.abort();
      up = false;
      await inner.close(timeoutMs);
      heard?.state({ up: false, reason: 'closed' });
    },
  };
};

/** Devices that reach nobody: they pair themselves, and behave by their names. */
export const deviceSimulator = (options: DeviceSimulatorOptions): DeviceDriver => ({
  name: 'device-simulator',
  simulated: true,
  isGoverned: ({ phoneName }) => GOVERNED.test(phoneName),
  carrier: (surroundings) => deviceCarrier(options, surroundings),
});
