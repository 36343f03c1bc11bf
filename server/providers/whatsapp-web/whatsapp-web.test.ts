import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import type { MessageContent } from '../../../contract/traffic/message-content.ts';
import { openWhatsappWeb, type Page, type WhatsappWebStandIn } from '../../../test/emulators/whatsapp-web.ts';
import { leftOf } from '../../../test/lifecycle/processes.ts';
import {
  type CarrierUnderTest,
  carrierSuite,
  listen,
  newOutgoing,
} from '../../../test/suites/carrier-suite.ts';
import { deviceSuite, fetchAddress } from '../../../test/suites/device-suite.ts';
import type {
  DeviceDriver,
  DeviceEnd,
  FetchFile,
  Pairing,
  ReceivedFile,
} from '../../fleet/devices/driver.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { whatsappWeb } from './whatsapp-web.ts';

const WAIT = { timeout: 20_000, interval: 20 };
const until = <T>(assert: () => T) => vi.waitFor(assert, WAIT);
const MEGABYTE = 1024 * 1024;
/** Above what an idle process of Node and its browser need. */
const MEMORY_BYTES = 400 * MEGABYTE;

const times = { firstPause: 50, longestPause: 200, answer: 8_000, end: 2_000, firstSave: 100, memory: 100 };

let whatsapp: WhatsappWebStandIn;
const open: Carrier[] = [];
beforeAll(async () => {
  whatsapp = await openWhatsappWeb();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((carrier) => carrier.close(2_000)));
});
afterAll(() => whatsapp.close());

const driverOf = (
  far: WhatsappWebStandIn,
  folder: string,
  {
    warn = () => {},
    fetchFile = fetchAddress,
    mostDevices = 20,
  }: { warn?: (error: unknown) => void; fetchFile?: FetchFile; mostDevices?: number } = {},
) =>
  whatsappWeb({
    fetchFile,
    library: far.library,
    // The stand-in's browser is a process of Node.
    chromium: process.execPath,
    folder,
    memoryBytes: MEMORY_BYTES,
    mostDevices,
    environment: far.environment,
    warn,
    times,
  });

/** A session as the room keeps it, and what a device tells. */
const newDevice = (
  part: {
    session?: Buffer;
    pairByCodeOf?: string;
    id?: string;
    worker?: string;
    fetchFile?: FetchFile;
    driver?: DeviceDriver;
  } = {},
) => {
  const kept = { session: part.session };
  const told = {
    pairings: [] as Pairing[],
    paired: [] as { phoneNumber: string; displayName?: string | undefined }[],
    ended: [] as DeviceEnd[],
    ports: [] as string[],
    files: [] as ReceivedFile[],
    warnings: [] as unknown[],
  };
  const folder = join(whatsapp.folder, part.worker ?? 'worker-1');
  const driver =
    part.driver ??
    driverOf(whatsapp, folder, {
      warn: (error) => void told.warnings.push(error),
      ...(part.fetchFile && { fetchFile: part.fetchFile }),
    });
  const carrier = driver.carrier({
    device: {
      deviceId: (part.id ?? 'wa-hk-00000001') as DeviceId,
      phoneName: 'front desk',
      countryCode: 'HK',
      phoneNumber: '',
      pairByCodeOf: part.pairByCodeOf ?? '',
    },
    session: {
      read: async () => kept.session,
      write: async (bytes) => {
        kept.session = bytes;
      },
    },
    events: {
      driven: async (port) => void told.ports.push(port),
      pairing: async (pairing) => void told.pairings.push(pairing),
      paired: async (as) => void told.paired.push(as),
      warned: async () => {},
      ended: async (why) => void told.ended.push(why),
    },
    keepFile: async (file) => `file-${told.files.push(file)}`,
    isTransient: (error) => (error as Error).message.endsWith('away'),
  });
  const heard = listen();
  const begin = async (): Promise<Page> => {
    const page = whatsapp.next();
    open.push(carrier);
    await carrier.open(heard);
    return page;
  };
  return { carrier, begin, heard, kept, told, folder };
};

const isUp = (carrier: Carrier) => until(() => expect(carrier.isUp()).toBe(true));
const areGone = async ({ pid, browserPid }: Page) =>
  expect(await leftOf([pid, browserPid], WAIT.timeout)).toEqual([]);
/** Paired and connected. */
const paired = async (part: Parameters<typeof newDevice>[0] = {}) => {
  const device = newDevice(part);
  const page = await device.begin();
  page.scan();
  await isUp(device.carrier);
  return { ...device, page };
};
const sessionOf = async (id: string): Promise<Buffer> => {
  const { carrier, kept } = await paired({ id });
  await carrier.close(5_000);
  return kept.session as Buffer;
};

let last = 0;
const recipient = (ending: string) => {
  last += 1;
  return `+85261${String(last).padStart(3, '0')}${ending}`;
};
deviceSuite('WhatsApp Web', async () => {
  const far = await openWhatsappWeb();
  far.does.reports = true;
  const says = (why: string) => ({ messages: 3, say: { event: 'disconnected', values: [why] } });
  return {
    driver: driverOf(far, join(far.folder, 'worker')),
    pair: () => far.pages.at(-1)?.scan(),
    neverPaired: () => {
      far.does.renewMs = 50;
      return {};
    },
    drops: () => {
      far.does.after = says('NAVIGATION');
      return {};
    },
    ends: () => {
      far.does.after = says('LOGOUT');
      return { device: {}, why: 'LOGGED_OUT' };
    },
    answers: () => recipient('777'),
    recipient: () => recipient('111'),
    given: (to) =>
      far.taken
        .filter((one) => one.to === `${to.slice(1)}@c.us`)
        .map(({ text, quoted, media, asDocument = false }) => ({
          text,
          quotedMessage: quoted,
          file: media && {
            mimeType: media.mimetype,
            fileName: media.filename,
            bytes: Buffer.from(media.data, 'base64').toString(),
            asDocument,
          },
        })),
    close: far.close,
  };
});

carrierSuite('WhatsApp Web', async (): Promise<CarrierUnderTest> => {
  const { carrier } = newDevice({ session: await sessionOf('wa-hk-0000suit'), id: 'wa-hk-0000suit' });
  const toId = (phone: string) => `${phone.slice(1)}@c.us`;
  return {
    carrier,
    recipient: () => recipient('111'),
    sender: '+85261110001',
    taken: ({ recipient: to, text }) =>
      whatsapp.taken.filter((one) => one.to === toId(to) && one.text === text).length,
    refuses: () => recipient('000'),
    staysSilent: () => recipient('999'),
    report: (id, state) =>
      whatsapp.pages.at(-1)?.say({
        event: 'message_ack',
        values: [
          { id: { _serialized: id, fromMe: true }, to: '85261112222@c.us' },
          state === 'delivered' ? 2 : -1,
        ],
      }),
    write: ({ from, text }) =>
      whatsapp.pages.at(-1)?.say({
        event: 'message',
        values: [{ id: `false_${from}`, from: toId(from), to: 'me@c.us', body: text }],
      }),
    cut: () => whatsapp.pages.at(-1)?.say({ event: 'disconnected', values: ['NAVIGATION'] }),
    close: async () => {},
  };
}, ['refusesForNow']);

test('a QR code is shown and renewed until it is scanned, and the number is told before it is up', async () => {
  const { carrier, begin, told, heard } = newDevice();
  const page = await begin();
  await until(() => expect(told.pairings).toHaveLength(1));
  expect(carrier.isUp()).toBe(false);
  page.say({ event: 'qr', values: ['2@second'] });
  await until(() => expect(told.pairings).toHaveLength(2));
  expect(told.pairings).toMatchObject([
    { kind: 'qr', text: '2@first', attempt: 1, attempts: 6 },
    { kind: 'qr', text: '2@second', attempt: 2, attempts: 6 },
  ]);
  page.scan();
  await isUp(carrier);
  expect(told.paired).toEqual([{ phoneNumber: '+85261110001', displayName: 'Ann' }]);
  expect(heard.states).toEqual([{ up: true, reason: '' }]);
});

test('codes that nobody scans come to an end, with no process left', async () => {
  const { carrier, begin, told } = newDevice();
  const page = await begin();
  for (let code = 2; code <= 7; code += 1) page.say({ event: 'qr', values: [`2@${code}`] });
  await until(() => expect(told.ended).toEqual(['PAIRING_UNUSED']));
  expect(told.pairings).toHaveLength(6);
  await areGone(page);
  expect(carrier.isUp()).toBe(false);
});

test('a number is paired by a code that is typed on its phone', async () => {
  const { begin, told } = newDevice({ pairByCodeOf: '+85261110001' });
  const page = await begin();
  expect(page.code).toBe('85261110001');
  await until(() =>
    expect(told.pairings).toMatchObject([{ kind: 'code', text: 'K7M29XPA', attempt: 1, attempts: 3 }]),
  );
});

test('the process of a device knows nothing of the program’s settings', async () => {
  const { page } = await paired();
  expect(page.secrets.sort()).toEqual(expect.arrayContaining(['HOME', 'WHATSAPP_STAND_IN']));
  expect(page.secrets.filter((name) => /SECRET|DATABASE|KEY|TOKEN|PASSWORD/.test(name))).toEqual([]);
});

test('another worker takes the session and needs no code, and the first leaves no files', async () => {
  const first = await paired({ id: 'wa-hk-00000002' });
  await first.carrier.close(5_000);
  await areGone(first.page);
  expect(await readdir(first.folder)).toEqual([]);
  const second = newDevice({
    id: 'wa-hk-00000002',
    worker: 'worker-2',
    session: first.kept.session as Buffer,
  });
  await second.begin();
  await isUp(second.carrier);
  expect(second.told.pairings).toEqual([]);
  expect(second.told.paired).toMatchObject([{ phoneNumber: '+85261110001' }]);
});

test('the session is stored while the device runs, so that a worker that is killed loses none', async () => {
  const { kept } = await paired();
  await until(() => expect(kept.session).toBeInstanceOf(Buffer));
  const other = newDevice({ worker: 'worker-2', session: kept.session as Buffer });
  await other.begin();
  await isUp(other.carrier);
});

test.each([
  ['LOGOUT', 'LOGGED_OUT'],
  ['UNPAIRED', 'LOGGED_OUT'],
  ['TOS_BLOCK', 'BANNED'],
])('%s ends the device as %s', async (word, why) => {
  const { page, told, heard, carrier } = await paired();
  page.say({ event: 'disconnected', values: [word] });
  await until(() => expect(told.ended).toEqual([why]));
  expect(heard.states.at(-1)).toMatchObject({ up: false });
  await areGone(page);
  expect(await carrier.send(newOutgoing({ recipient: '+85261112222' }))).toMatchObject({
    outcome: 'refused',
    retryable: true,
  });
});

test('a phone that has ended the link while nobody looked is told, and not paired again by itself', async () => {
  const session = await sessionOf('wa-hk-00000003');
  whatsapp.forget();
  const { begin, told } = newDevice({ id: 'wa-hk-00000003', session });
  await begin();
  await until(() => expect(told.ended).toEqual(['LOGGED_OUT']));
  expect(told.pairings).toEqual([]);
});

test('a crash of one process makes its message unknown, harms no other device, and heals', async () => {
  const one = await paired({ id: 'wa-hk-00000004' });
  const other = await paired({ id: 'wa-hk-00000005' });
  const silent = one.carrier.send(newOutgoing({ recipient: '+85261000999' }));
  await until(() => expect(whatsapp.taken.at(-1)?.to).toBe('85261000999@c.us'));
  const back = whatsapp.next();
  process.kill(one.page.pid, 'SIGKILL');
  expect(await silent).toMatchObject({ outcome: 'unknown' });
  // Its browser does not outlive it.
  await areGone(one.page);
  const again = await back;
  await isUp(one.carrier);
  expect(again.pid).not.toBe(one.page.pid);
  expect(one.told.ports).toEqual([String(one.page.pid), String(again.pid)]);
  expect(one.told.pairings).toHaveLength(1);
  expect(other.heard.states).toEqual([{ up: true, reason: '' }]);
  expect(await leftOf([other.page.pid], 0)).toEqual([other.page.pid]);
  expect(whatsapp.taken.filter(({ to }) => to === '85261000999@c.us')).toHaveLength(1);
});

test.runIf(process.platform === 'linux')('a device that uses too much memory is started again', async () => {
  const one = await paired({ id: 'wa-hk-00000006' });
  const other = await paired({ id: 'wa-hk-00000007' });
  const back = whatsapp.next();
  one.page.say({ hogMegabytes: 500 });
  await areGone(one.page);
  expect(one.heard.states).toContainEqual({
    up: false,
    reason: 'The device used too much memory and is started again.',
  });
  await back;
  await isUp(one.carrier);
  expect(other.heard.states).toEqual([{ up: true, reason: '' }]);
});

test('beyond as many devices as a worker may drive, one waits and says so until another ends', async () => {
  const driver = driverOf(whatsapp, join(whatsapp.folder, 'worker-1'), { mostDevices: 1 });
  const first = await paired({ id: 'wa-hk-00000008', driver });
  const [gone, next] = ['wa-hk-00000009', 'wa-hk-00000010'].map((id) => newDevice({ id, driver }));
  for (const one of [gone, next]) {
    await one?.carrier.open(one.heard);
    expect(one?.heard.states).toEqual([{ up: false, reason: 'NO_PLACE' }]);
  }
  // One that leaves while it waits takes nobody's place.
  await gone?.carrier.close(2_000);
  open.push(...(next ? [next.carrier] : []));
  const page = whatsapp.next();
  await first.carrier.close(5_000);
  (await page).scan();
  await isUp(next?.carrier as Carrier);
  expect(next?.heard.states).toEqual([
    { up: false, reason: 'NO_PLACE' },
    { up: false, reason: '' },
    { up: true, reason: '' },
  ]);
  expect(next?.told.ports).toHaveLength(1);
  expect([gone?.told.ports, gone?.told.pairings]).toEqual([[], []]);
});

test('receipts come as delivered and read; what WhatsApp only took is none', async () => {
  const { page, heard } = await paired();
  const ack = (state: number) =>
    page.say({
      event: 'message_ack',
      values: [{ id: { _serialized: 'true_1', fromMe: true }, to: '85261112222@c.us' }, state],
    });
  for (const state of [0, 1, 2, 3]) ack(state);
  await until(() => expect(heard.receipts.map(({ state }) => state)).toEqual(['delivered', 'read']));
});

test('messages come with their files and quotes; those of groups are not ours', async () => {
  const { page, heard, told } = await paired();
  const image = Buffer.from('a picture').toString('base64');
  const message = { to: 'me@c.us', body: 'hello' };
  page.say({ event: 'message', values: [{ ...message, id: '1', from: '120363@g.us' }] });
  page.say({
    event: 'message',
    values: [
      { ...message, id: '2', from: '85261113333@c.us', type: 'image', media: image, quoted: 'true_1' },
    ],
  });
  page.say({ event: 'message', values: [{ ...message, id: '3', from: '77777777@lid' }] });
  await until(() => expect(heard.inbounds).toHaveLength(2));
  const [first, second] = heard.inbounds;
  expect(first).toMatchObject({
    providerMessageId: '2',
    from: '+85261113333',
    to: '+85261110001',
    text: 'hello',
    content: {
      kind: 'image',
      quotedMessage: 'true_1',
      senderName: 'Ben',
      media: { id: 'file-1', kind: 'image', mimeType: 'image/png' },
    },
  });
  expect(told.files.map(({ bytes }) => bytes.toString())).toEqual(['a picture']);
  // WhatsApp hides a number behind an id; the contact has it.
  expect(second).toMatchObject({ providerMessageId: '3', from: '+85261112222' });
});

test('a hidden number is asked for again; a message whose sender stays hidden is kept under the id', async () => {
  const { page, heard, told } = await paired();
  const message = { from: '77777777@lid', to: 'me@c.us', body: 'hello' };
  const contacts = [
    { contactFaults: 2 },
    { contactFaults: 99 },
    { contact: { pushname: 'Ben' } },
    { contact: { number: '77777777' } },
  ];
  contacts.forEach((contact, at) => {
    page.say({ event: 'message', values: [{ ...message, ...contact, id: String(at) }] });
  });
  await until(() => expect(heard.inbounds).toHaveLength(4));
  expect(heard.inbounds.map(({ from }) => from)).toEqual([
    '+85261112222',
    'lid:77777777',
    'lid:77777777',
    'lid:77777777',
  ]);
  const hidden = 'WhatsApp does not tell the number of who wrote a message';
  expect(told.warnings.map((error) => (error as Error).message)).toEqual([hidden, hidden, hidden]);
});

test('a message that can’t be read is told to the worker, and the next one is read', async () => {
  const { page, heard, told } = await paired();
  const message = { to: 'me@c.us', body: 'hello' };
  page.say({ event: 'message', values: [{ ...message, id: '1' }] });
  page.say({ event: 'message', values: [{ ...message, id: '2', from: '85261113333@c.us' }] });
  await until(() => expect(heard.inbounds).toHaveLength(1));
  expect(String(told.warnings)).toContain('a message could not be read: ');
});

test('a file that is too large is left out, and the message says what it was', async () => {
  const { page, heard, told } = await paired();
  const video = { type: 'video', mediaBytes: 16 * MEGABYTE + 1 };
  page.say({
    event: 'message',
    values: [{ id: '1', from: '85261113333@c.us', to: 'me@c.us', body: '', ...video }],
  });
  await until(() => expect(heard.inbounds).toHaveLength(1));
  expect(heard.inbounds[0]?.content).toEqual({ kind: 'video', senderName: 'Ben' });
  expect(told.files).toEqual([]);
});

test('a message that can never be stored keeps nothing waiting, and one that is tried again keeps its file once', async () => {
  const { page, heard, told } = await paired();
  const { inbound } = heard;
  const faults: Record<string, string[]> = { 1: ['never', 'never'], 2: ['away', 'away'] };
  heard.inbound = async (message) => {
    const fault = faults[message.providerMessageId]?.shift();
    if (fault) throw new Error(fault);
    await inbound(message);
  };
  const image = { from: '85261113333@c.us', to: 'me@c.us', body: 'STOP', type: 'image', media: 'AAAA' };
  for (const id of ['1', '2', '3']) page.say({ event: 'message', values: [{ ...image, id }] });
  await until(() => expect(heard.inbounds.map((one) => one.providerMessageId)).toEqual(['2', '3']));
  expect(told.files).toHaveLength(3);
  expect(told.warnings.map((error) => (error as Error).message)).toEqual(['never', 'away', 'away']);
});

test('a template is refused, and a file that can’t be had: for now or for good, and certainly not sent', async () => {
  const found: Record<string, Awaited<ReturnType<FetchFile>>> = {
    'https://example.com/gone.png': { fault: 'It answered with 404.', retryable: false },
    'https://example.com/busy.png': { fault: 'It answered with 503.', retryable: true },
    'https://example.com/page.png': { bytes: Buffer.from('<html>'), mimeType: 'text/html' },
  };
  const fetchFile: FetchFile = async (url) => found[url] ?? { fault: 'It is not there.', retryable: false };
  const { carrier } = await paired({ fetchFile });
  const send = (content: MessageContent) => carrier.send(newOutgoing({ recipient: '+85261114444', content }));
  const refused = { outcome: 'refused', retryable: false };
  const template = { name: 'hello', language: 'en_US' };
  expect(await send({ template })).toMatchObject({ ...refused, code: 'DEVICE_NO_TEMPLATES' });
  expect(await send({ image: 'https://example.com/gone.png' })).toMatchObject({
    ...refused,
    code: 'DEVICE_FILE_NOT_FETCHED',
    reason: 'The image: It answered with 404.',
  });
  expect(await send({ image: 'https://example.com/busy.png' })).toMatchObject({
    ...refused,
    retryable: true,
  });
  expect(await send({ image: 'https://example.com/page.png' })).toMatchObject({
    ...refused,
    code: 'DEVICE_FILE_TYPE',
  });
  expect(whatsapp.taken.filter(({ to }) => to === '85261114444@c.us')).toEqual([]);
});

test('a device that is logged out is off the phone’s list: its session is worth nothing, and none is kept', async () => {
  const { carrier, kept, told, page } = await paired({ id: 'wa-hk-00000008' });
  await until(() => expect(kept.session).toBeInstanceOf(Buffer));
  const session = kept.session as Buffer;
  expect(await carrier.logOut?.(20_000)).toBe(true);
  kept.session = undefined;
  await carrier.close(5_000);
  await areGone(page);
  expect(kept.session).toBeUndefined();
  // It was asked for: nobody has to be told.
  expect(told.ended).toEqual([]);
  const again = newDevice({ id: 'wa-hk-00000008', session });
  await again.begin();
  await until(() => expect(again.told.ended).toEqual(['LOGGED_OUT']));
});

test('a device that WhatsApp does not log out is closed nevertheless', async () => {
  const { carrier, page } = await paired({ id: 'wa-hk-00000009' });
  whatsapp.does.ignoresLogout = true;
  expect(await carrier.logOut?.(200)).toBe(false);
  whatsapp.does.ignoresLogout = false;
  await carrier.close(5_000);
  await areGone(page);
  expect(await carrier.logOut?.(200)).toBe(false);
});
