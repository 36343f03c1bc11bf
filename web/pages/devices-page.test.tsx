import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { device, FULL, profile, type Replies, STOPPED } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

type Device = ReturnType<typeof device>;
type Language = (typeof LANGUAGES)[number];

const PATH = '/dashboard/devices';
const ID = device(1).deviceId;
const pairing = {
  kind: 'qr',
  text: '2@first',
  expiresAt: '2026-03-04T05:06:27.000Z',
  attempt: 1,
  attempts: 5,
} as const;
const PAIRING = {
  status: 'PENDING',
  reason: 'PAIRING',
  phoneNumber: '',
  pairedAt: null,
  canSend: false,
  pairing,
} satisfies Partial<Device>;
const withDevices = (...devices: Device[]): Replies => ({ ...FULL, 'GET /devices': { devices } });

const shown = () => document.querySelector('main')?.textContent ?? '';
const everywhere = () => document.body.textContent ?? '';
const says = (text: string) => waitFor(() => expect(everywhere()).toContain(text));
const asked = () =>
  vi.mocked(fetch).mock.calls.map(([url, init]) => ({
    call: `${init?.method ?? 'GET'} ${String(url)}`,
    body: init?.body === undefined ? undefined : JSON.parse(String(init.body)),
  }));
const loads = () => asked().filter(({ call }) => call.startsWith('GET /api/devices')).length;
/** Watches what the page asks for. */
const spied = () => vi.stubGlobal('fetch', vi.fn(fetch));
/** From now on the server refuses what is asked by this method. */
const refuse = (method: string, message: string, code = 'E_DEVICE') => {
  const others = fetch;
  const refusal = { code, message, requestId: 'r' };
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...given: Parameters<typeof fetch>) =>
      given[1]?.method === method ? new Response(JSON.stringify(refusal), { status: 409 }) : others(...given),
    ),
  );
};
const button = (name: string) => screen.findByRole('button', { name });
const choose = async (language: Language, action: string, of: string = ID) => {
  fireEvent.click(await button(textIn(language, `Actions for ${of}`)));
  fireEvent.click(await screen.findByRole('menuitem', { name: textIn(language, action) }));
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
};
const open = (devices: Device[], language: Language = 'en_US') =>
  openPage(PATH, { server: withDevices(...devices), language });

/** By the clock of what is done again and again; it also goes with the real one. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const nextRead = () => pass(3_000);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  notifications.cleanQueue();
  notifications.clean();
});

test('the table has the specified columns and actions', async () => {
  await open([device(1)]);
  await screen.findByText(ID);
  const heads = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent);
  expect(heads).toEqual(['Device id', 'Status', 'Type', 'Phone', 'Create date', 'Actions']);
  fireEvent.click(await button(`Actions for ${ID}`));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Start', 'Stop', 'Delete']);
});

test.each(LANGUAGES)('a device is created, paired by what is shown, and runs (%s)', async (language) => {
  const said = (text: string) => textIn(language, text);
  await openPage(PATH, { server: withDevices(), language });
  // Its button is another one than that of the list.
  await says(said('Need more devices?'));
  fireEvent.click(await button(said('Create device')));
  const form = await screen.findByRole('form', { name: said('New device') });
  const submit = () => fireEvent.submit(form);
  submit();
  const alerts = () => [...form.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent);
  const country = said('Field required: Please select country.');
  const terms = said('Please accept terms and conditions!');
  await waitFor(() => expect(alerts()).toEqual([country, terms, terms]));
  fireEvent.change(screen.getByLabelText(said('Country')), { target: { value: 'SG' } });
  const [risk, accepted] = form.querySelectorAll('input[type="checkbox"]');
  fireEvent.click(risk as Element);
  submit();
  await waitFor(() => expect(alerts()).toEqual([terms]));
  fireEvent.click(accepted as Element);

  spied();
  const created = { status: 'Device created successfully!', deviceId: ID };
  setServer({ ...withDevices(device(1, PAIRING)), 'POST /devices/create': created });
  submit();
  await says('Device created successfully!');
  expect(asked().find(({ call }) => call.startsWith('POST'))?.body).toEqual({ countryCode: 'SG' });
  expect(await screen.findByRole('img', { name: said(`QR code to pair ${ID}`) })).toBeTruthy();
  await says(said('Code 1 of 5. A new one appears by itself when it expires.'));

  // What follows comes with the list, which is read again and again.
  setServer(withDevices(device(1, { ...PAIRING, pairing: { ...pairing, text: '2@second', attempt: 2 } })));
  await nextRead();
  await says(said('Code 2 of 5. A new one appears by itself when it expires.'));
  setServer(withDevices(device(1)));
  await nextRead();
  await says(said('Paired. The device sends as +85261110001.'));
});

test('the QR code changes with its text, and no letter of it is shown', async () => {
  await open([device(1, PAIRING)]);
  fireEvent.click(await button('Pair'));
  const path = () => document.querySelector('[role="img"] path')?.getAttribute('d') ?? '';
  await waitFor(() => expect(path()).not.toBe(''));
  const first = path();
  setServer(withDevices(device(1, { ...PAIRING, pairing: { ...pairing, text: '2@second' } })));
  await nextRead();
  await waitFor(() => expect(path()).not.toBe(first));
  expect(everywhere()).not.toContain('2@');
});

test.each(LANGUAGES)('a device is paired by a code that is typed on the phone (%s)', async (language) => {
  const said = (text: string) => textIn(language, text);
  await open([device(1, PAIRING)], language);
  fireEvent.click(await button(said('Pair')));
  fireEvent.click(await button(said('Use a code instead of scanning')));
  fireEvent.click(await button(said('Get a code')));
  await says(said('Please enter the number of the phone.'));
  fireEvent.change(screen.getByLabelText(said('Number of the phone, with its country code')), {
    target: { value: ' +852 6111 0001 ' },
  });
  spied();
  const code = { ...pairing, kind: 'code', text: 'K7M2-9XPA' } as const;
  setServer({
    ...withDevices(device(1, { ...PAIRING, pairing: code })),
    'POST /devices/:deviceId/pairingCode': { status: 'A code is on its way.' },
  });
  fireEvent.click(await button(said('Get a code')));
  await says('K7M2-9XPA');
  await says('A code is on its way.');
  expect(asked().find(({ call }) => call === `POST /api/devices/${ID}/pairingCode`)?.body).toEqual({
    phoneNumber: '+852 6111 0001',
  });
});

test('who has left the field of the number is not brought back to it', async () => {
  await open([device(1, PAIRING)]);
  fireEvent.click(await button('Pair'));
  fireEvent.click(await button('Use a code instead of scanning'));
  expect(document.activeElement?.getAttribute('type')).toBe('tel');
  const next = await button('Get a code');
  act(() => next.focus());
  setServer(withDevices(device(1, { ...PAIRING, pairing: { ...pairing, attempt: 2 } })));
  await nextRead();
  await says('2');
  expect(document.activeElement).toBe(next);
});

test.each(LANGUAGES)('codes that nobody used come to an end, and can be had again (%s)', async (language) => {
  const said = (text: string) => textIn(language, text);
  const unused = { ...STOPPED, wanted: 'RUNNING', reason: 'PAIRING_UNUSED', pairedAt: null } as const;
  await open([device(1, PAIRING)], language);
  fireEvent.click(await button(said('Pair')));
  await screen.findByRole('img', { name: said(`QR code to pair ${ID}`) });
  setServer(withDevices(device(1, unused)));
  await nextRead();
  const dialog = () => document.querySelector('[aria-modal="true"]')?.textContent;
  await waitFor(() =>
    expect(dialog()).toContain(said('No code was used in time. Start it to get new ones.')),
  );
  expect(document.querySelector('[role="img"]')).toBeNull();
  setServer({
    ...withDevices(device(1, { ...PAIRING, reason: 'STARTING', pairing: null })),
    'POST /devices/:deviceId/start': { status: 'Device is starting.' },
  });
  fireEvent.click(await button(said('Start again')));
  await says('Device is starting.');
  await waitFor(() => expect(dialog()).toContain(said('The code is being prepared …')));
});

test('the list is read every 3 seconds, but not while the page is out of sight', async () => {
  await open([device(1)]);
  await screen.findByText(ID);
  spied();
  await nextRead();
  await waitFor(() => expect(loads()).toBeGreaterThan(0));
  setServer(withDevices(device(1, { ...STOPPED })));
  await nextRead();
  await waitFor(() => expect(shown()).toContain('STOPPED'));
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  const before = loads();
  await pass(30_000);
  expect(loads()).toBe(before);
});

test.each(LANGUAGES)(
  'a list that can not be loaded is told by one toast, and stays (%s)',
  async (language) => {
    await open([device(1)], language);
    await screen.findByText(ID);
    const told = vi.spyOn(notifications, 'show');
    onTestFinished(() => told.mockRestore());
    setServer('failing');
    await nextRead();
    await says(textIn(language, 'The devices could not be loaded.'));
    const toasts = () => document.querySelectorAll('.mantine-Notification-root').length;
    await waitFor(() => expect(toasts()).toBe(1));
    spied();
    await nextRead();
    await waitFor(() => expect(loads()).toBeGreaterThan(0));
    const before = loads();
    await nextRead();
    await waitFor(() => expect(loads()).toBeGreaterThan(before));
    // On a slow machine it may be gone by now.
    expect(told).toHaveBeenCalledOnce();
    expect(shown()).toContain(ID);
  },
);

test.each([
  ['Start', 'start', device(1, STOPPED)],
  ['Stop', 'stop', device(1)],
] as const)(
  '%s toasts the status text, and a refusal in the words of the server',
  async (action, verb, one) => {
    await open([one]);
    spied();
    const status = { status: `Device will ${verb}.` };
    setServer({ ...withDevices(one), [`POST /devices/:deviceId/${verb}`]: status });
    await choose('en_US', action);
    await says(`Device will ${verb}.`);
    expect(asked().some(({ call }) => call === `POST /api/devices/${ID}/${verb}`)).toBe(true);
    refuse('POST', 'It does so already.');
    await choose('en_US', action);
    await says('It does so already.');
  },
);

test.each(LANGUAGES)(
  'a device without waiting messages is deleted after a question (%s)',
  async (language) => {
    await open([device(1)], language);
    await choose(language, 'Delete');
    spied();
    await says(textIn(language, 'Delete this device?'));
    expect(document.querySelector('input[type="radio"]')).toBeNull();
    setServer({
      ...withDevices(),
      'DELETE /devices/:deviceId': { status: 'Device deleted.', moved: 0, cancelled: 0 },
    });
    fireEvent.click(await button(textIn(language, 'Delete')));
    await says('Device deleted.');
    expect(asked().map(({ call }) => call)).toContain(`DELETE /api/devices/${ID}`);
    await waitFor(() => expect(shown()).toContain(textIn(language, 'Need more devices?')));
  },
);

test.each([
  [undefined, 'waiting=move&to=wa-hk-00000003'],
  ['Move them to another device', 'waiting=move&to=wa-hk-00000003'],
  ['Cancel them and refund what they cost', 'waiting=cancel'],
])('what waits in a deleted device: %s', async (fate, query) => {
  // One that can send is the first choice; another account's is none, nor is one that would only pretend to send.
  const other = device(4, { accountId: '018f0000-0000-7000-8000-00000000000b' as Device['accountId'] });
  const pretending = device(5, { simulated: true });
  const devices = [device(1, { waiting: 1_234 }), device(2, STOPPED), device(3), other, pretending];
  await open(devices);
  await choose('en_US', 'Delete');
  await says('1,234 messages wait in it. What becomes of them?');
  const choices = [...document.querySelectorAll('[aria-modal="true"] option')].map((one) => one.textContent);
  expect(choices).toEqual([
    'wa-hk-00000003 · +85261110003 · RUNNING',
    'wa-hk-00000002 · +85261110002 · STOPPED',
  ]);
  spied();
  setServer({
    ...withDevices(device(2)),
    'DELETE /devices/:deviceId': { status: 'Device deleted; 1234 were seen to.', moved: 0, cancelled: 0 },
  });
  if (fate) fireEvent.click(screen.getByLabelText(fate));
  fireEvent.click(await button('Delete'));
  await says('Device deleted; 1234 were seen to.');
  expect(asked().map(({ call }) => call)).toContain(`DELETE /api/devices/${ID}?${query}`);
});

test('what is scheduled for a device is counted by the server, and asked about then', async () => {
  await open([device(1), device(2)]);
  await choose('en_US', 'Delete');
  await says('Delete this device?');
  const willing = fetch;
  refuse('DELETE', '3 messages wait in this device.', 'E_DEVICE_WAITING');
  fireEvent.click(await button('Delete'));
  const dialog = () => document.querySelector('[aria-modal="true"]');
  await waitFor(() => expect(dialog()?.textContent).toContain('3 messages wait in this device.'));
  expect(dialog()?.querySelectorAll('input[type="radio"]')).toHaveLength(2);
  setServer({
    ...withDevices(device(1), device(2)),
    'DELETE /devices/:deviceId': { status: 'Device deleted; 3 were moved.', moved: 3, cancelled: 0 },
  });
  vi.stubGlobal('fetch', vi.fn(willing));
  // The first answer has to be dealt with: until then the button waits.
  await waitFor(async () => expect(await button('Delete')).toMatchObject({ disabled: false }));
  fireEvent.click(await button('Delete'));
  await says('Device deleted; 3 were moved.');
  expect(asked().map(({ call }) => call)).toContain(
    `DELETE /api/devices/${ID}?waiting=move&to=wa-hk-00000002`,
  );
});

test('what waits in the only device can only be cancelled', async () => {
  await open([device(1, { waiting: 10_000 })]);
  await choose('en_US', 'Delete');
  await says('10,000+ messages wait in it.');
  expect(document.querySelectorAll('[aria-modal="true"] input[type="radio"]')).toHaveLength(1);
  refuse('DELETE', 'It is not to be deleted now.');
  fireEvent.click(await button('Delete'));
  await says('It is not to be deleted now.');
  expect(asked().map(({ call }) => call)).toContain(`DELETE /api/devices/${ID}?waiting=cancel`);
});

test.each(LANGUAGES)(
  'a device says why it waits, what was asked for and what it may do (%s)',
  async (language) => {
    const said = (text: string) => textIn(language, text);
    const hold = { code: 'QUIET_HOURS', until: '2026-03-04T23:00:00.000Z' } as const;
    await open(
      [device(1, { hold, waiting: 7 }), device(2, { ...STOPPED, wanted: 'RUNNING', reason: 'BANNED' })],
      language,
    );
    const night = {
      en_US: 'It is night where it is. Until 2026-03-05 07:00.',
      zh_HK: '裝置所在地現為夜間。至 2026-03-05 07:00 為止。',
    };
    await says(night[language]);
    await says(said('WhatsApp does not let this number send.'));
    fireEvent.click(screen.getByText('+85261110001'));
    const panel = await screen.findByRole('dialog');
    for (const text of [
      said('Asked for'),
      night[language],
      said('12 of 200'),
      said('3 of 20'),
      said('Day 4'),
    ])
      expect(panel.textContent).toContain(text);
  },
);

test('an admin sees the devices of all accounts, with whose they are and what they are called', async () => {
  const display = { phoneName: 'Ann’s phone', phoneNumber: '+85261119999' };
  const theirs = device(2, { me: false, email: 'ann@example.com', display });
  await openPage(PATH, {
    server: withDevices(device(1, { email: 'someone@example.com' }), theirs),
    layout: { 'GET /account/me/profile': profile('owner') },
  });
  await screen.findByText('ann@example.com');
  const [own, other] = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent ?? '');
  for (const text of ['me', 'front desk 1', 'someone@example.com']) expect(own).toContain(text);
  for (const text of ['Ann’s phone', 'originally front desk 2', 'ann@example.com', '+85261119999'])
    expect(other).toContain(text);
  expect(screen.getAllByText('me')).toHaveLength(1);
  spied();
  await nextRead();
  await waitFor(() => expect(asked().map(({ call }) => call)).toContain('GET /api/devices?all=true'));
});

const openSend = async (devices: Device[], language: Language = 'en_US') => {
  // Without a draft of another test.
  sessionStorage.clear();
  await openPage('/dashboard/messages/send', { server: withDevices(...devices), language });
  fireEvent.click(await screen.findByRole('radio', { name: 'WhatsApp' }));
  return (await screen.findByLabelText(textIn(language, 'Device'))) as HTMLSelectElement;
};
const optionsOf = ({ options }: HTMLSelectElement) => [...options].map(({ value }) => value);

test.each(LANGUAGES)('Send offers RUNNING devices only, and chooses the only one (%s)', async (language) => {
  const select = await openSend([device(1, STOPPED), device(2), device(3, PAIRING)], language);
  expect(optionsOf(select)).toEqual(['', 'wa-hk-00000002', 'simulator']);
  expect(select.value).toBe('wa-hk-00000002');
});

test.each(LANGUAGES)('Send asks which of several devices is meant (%s)', async (language) => {
  const select = await openSend([device(1), device(2)], language);
  expect(select.value).toBe('');
  fireEvent.submit(screen.getByRole('form', { name: textIn(language, 'Send message') }));
  await says(textIn(language, 'Field required: Please select device.'));
  fireEvent.change(select, { target: { value: 'wa-hk-00000001' } });
  expect(select.value).toBe('wa-hk-00000001');
});

test('other channels are used although the devices can not be loaded', async () => {
  const { 'GET /devices': _, ...others } = FULL;
  await openPage('/dashboard/messages/send', { server: others });
  await says('Target phone number');
  await says('no reply');
});
