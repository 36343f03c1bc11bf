import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DeviceId } from '../../contract/fleet/devices.ts';
import type { MessageContent } from '../../contract/traffic/message-content.ts';
import type {
  DeviceDriver,
  DeviceEnd,
  DeviceSurroundings,
  DrivenDevice,
  FetchFile,
  Pairing,
} from '../../server/fleet/devices/index.ts';
import { listen, newOutgoing } from './carrier-suite.ts';

/** A driver with the far end that its devices connect to. */
export interface DriverUnderTest {
  driver: DeviceDriver;
  /** Makes the owner scan or type the code; without it the far end does so by itself. */
  pair?: (pairing: Pairing) => Promise<void> | void;
  /** A device whose code nobody uses. */
  neverPaired: () => Partial<DrivenDevice>;
  /** A device that loses its connection after some messages, and may come back. */
  drops: () => Partial<DrivenDevice>;
  /** A device that the far end ends after some messages. */
  ends: () => { device: Partial<DrivenDevice>; why: DeviceEnd };
  /** Somebody who answers. */
  answers: () => string;
  recipient: () => string;
  /** What the far end was given for somebody, in its order; without it the far end keeps nothing. */
  given?: (recipient: string) => GivenContent[];
  close: () => Promise<void>;
}

interface GivenContent {
  text: string;
  quotedMessage?: string | undefined;
  file?: { mimeType: string; fileName: string; bytes: string; asDocument: boolean } | undefined;
}

const TYPES: Record<string, string> = { png: 'image/png', mp4: 'video/mp4' };

/** Of the files that messages name: what is there is its address. */
export const fetchAddress: FetchFile = async (url) => ({
  bytes: Buffer.from(url),
  mimeType: TYPES[url.split('.').at(-1) ?? ''] ?? 'application/pdf',
});

const WAIT = { timeout: 20_000, interval: 20 };
let made = 0;

/** The behaviour that every driver must have. */
export const deviceSuite = (name: string, make: () => Promise<DriverUnderTest>): void => {
  const open = async (
    far: DriverUnderTest,
    given: Partial<DrivenDevice> = {},
    stored: { session?: Buffer | undefined } = {},
    pairs = true,
  ) => {
    made += 1;
    const device: DrivenDevice = {
      deviceId: `wa-hk-${String(made).padStart(8, '0')}` as DeviceId,
      phoneName: 'test',
      countryCode: 'HK',
      phoneNumber: '',
      pairByCodeOf: '',
      ...given,
    };
    const told = { pairings: [] as Pairing[], paired: [] as string[], ended: [] as DeviceEnd[] };
    const surroundings: DeviceSurroundings = {
      device,
      session: {
        read: async () => stored.session,
        write: async (bytes) => {
          stored.session = bytes;
        },
      },
      events: {
        driven: async () => {},
        pairing: async (pairing) => {
          told.pairings.push(pairing);
          if (pairs) await far.pair?.(pairing);
        },
        paired: async ({ phoneNumber }) => void told.paired.push(phoneNumber),
        warned: async () => {},
        ended: async (why) => void told.ended.push(why),
      },
      keepFile: async () => 'file',
      isTransient: () => false,
    };
    const carrier = far.driver.carrier(surroundings);
    const heard = listen();
    onTestFinished(() => carrier.close(1_000));
    await carrier.open(heard);
    return { carrier, heard, told, device, stored };
  };
  const up = ({ carrier }: { carrier: { isUp: () => boolean } }) =>
    vi.waitFor(() => expect(carrier.isUp()).toBe(true), WAIT);
  const begin = async () => {
    const far = await make();
    onTestFinished(far.close);
    return far;
  };

  describe(name, () => {
    test('opens at once, shows how to pair it, and is up as the number that paired', async () => {
      const far = await begin();
      const opened = await open(far);
      expect(opened.carrier.isUp()).toBe(false);
      expect(await opened.carrier.send(newOutgoing({ recipient: far.recipient() }))).toMatchObject({
        outcome: 'refused',
        retryable: true,
      });
      await up(opened);
      expect(opened.told.pairings[0]).toMatchObject({ attempt: 1 });
      expect(opened.told.pairings[0]?.text).not.toBe('');
      expect(opened.told.paired.at(-1)).toMatch(/^\+\d{8,15}$/);
      expect(opened.heard.states.at(-1)).toMatchObject({ up: true });
    });

    test('goes on with its session, without pairing, as the same number', async () => {
      const far = await begin();
      const first = await open(far);
      await up(first);
      await first.carrier.close(1_000);
      expect(first.carrier.isUp()).toBe(false);
      expect(first.stored.session?.length).toBeGreaterThan(0);
      const second = await open(far, { deviceId: first.device.deviceId }, first.stored);
      await up(second);
      expect(second.told.pairings).toEqual([]);
      expect(second.told.paired).toEqual([first.told.paired.at(-1)]);
    });

    test('sends, each message with an id of its own, and tells what became of it', async () => {
      const far = await begin();
      const opened = await open(far);
      await up(opened);
      const sent = await Promise.all(
        [1, 2, 3].map(() => opened.carrier.send(newOutgoing({ recipient: far.recipient() }))),
      );
      const ids = sent.map((one) => (one.outcome === 'accepted' ? one.providerMessageId : ''));
      expect(new Set(ids).size).toBe(3);
      await vi.waitFor(() => {
        const delivered = opened.heard.receipts.filter(({ state }) => state === 'delivered');
        expect(delivered.map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual(
          ids.toSorted(),
        );
      }, WAIT);
    });

    test('sends images, videos and files, with captions and quotes', async () => {
      const far = await begin();
      const opened = await open(far);
      await up(opened);
      const recipient = far.recipient();
      const image = 'https://files.example.com/a%20cat.png';
      const video = 'https://files.example.com/film.mp4';
      const file = 'https://files.example.com/download?id=7';
      const send = async (text: string, content: MessageContent) => {
        const sent = await opened.carrier.send(newOutgoing({ recipient, text, content }));
        if (sent.outcome !== 'accepted') throw new Error(`it was ${sent.outcome}`);
        return sent.providerMessageId;
      };
      const first = await send('A cat', { image });
      await send('', { video });
      await send('Your invoice', { file, fileName: 'Invoice 7.pdf', quotedMessage: first });
      await send('Thank you', { quotedMessage: first });
      if (!far.given) return;
      expect(far.given(recipient)).toEqual([
        {
          text: 'A cat',
          file: { mimeType: 'image/png', fileName: 'a cat.png', bytes: image, asDocument: false },
        },
        { text: '', file: { mimeType: 'video/mp4', fileName: 'film.mp4', bytes: video, asDocument: false } },
        {
          text: 'Your invoice',
          quotedMessage: first,
          file: { mimeType: 'application/pdf', fileName: 'Invoice 7.pdf', bytes: file, asDocument: true },
        },
        { text: 'Thank you', quotedMessage: first },
      ]);
    });

    test('what somebody writes comes to its number', async () => {
      const far = await begin();
      const opened = await open(far);
      await up(opened);
      const from = far.answers();
      await opened.carrier.send(newOutgoing({ recipient: from }));
      await vi.waitFor(
        () => expect(opened.heard.inbounds).toMatchObject([{ from, to: opened.told.paired.at(-1) }]),
        WAIT,
      );
    });

    test('codes that nobody uses are renewed, and end', async () => {
      const far = await begin();
      const { told, carrier } = await open(far, far.neverPaired(), {}, false);
      await vi.waitFor(() => expect(told.ended).toEqual(['PAIRING_UNUSED']), WAIT);
      expect(told.pairings.map(({ attempt }) => attempt)).toEqual(told.pairings.map((_, at) => at + 1));
      expect(told.pairings.length).toBe(told.pairings[0]?.attempts);
      expect(new Set(told.pairings.map(({ text }) => text)).size).toBe(told.pairings.length);
      expect(carrier.isUp()).toBe(false);
    });

    test('a lost connection comes back by itself, and nothing is sent without it', async () => {
      const far = await begin();
      const opened = await open(far, far.drops());
      await up(opened);
      const isDown = () => opened.heard.states.slice(1).some((state) => !state.up);
      await vi.waitFor(async () => {
        await opened.carrier.send(newOutgoing({ recipient: far.recipient() }));
        expect(isDown()).toBe(true);
      }, WAIT);
      await up(opened);
      expect(opened.heard.states.at(-1)).toMatchObject({ up: true });
      expect(opened.told.ended).toEqual([]);
    });

    test('a device that was ended says so once, and sends nothing any more', async () => {
      const far = await begin();
      const { device, why } = far.ends();
      const opened = await open(far, device);
      await up(opened);
      await vi.waitFor(async () => {
        await opened.carrier.send(newOutgoing({ recipient: far.recipient() }));
        expect(opened.told.ended).toEqual([why]);
      }, WAIT);
      expect(opened.carrier.isUp()).toBe(false);
      expect(await opened.carrier.send(newOutgoing({ recipient: far.recipient() }))).toMatchObject({
        outcome: 'refused',
        retryable: true,
      });
    });
  });
};
