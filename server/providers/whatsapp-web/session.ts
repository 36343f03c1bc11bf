import { setTimeout as sleep } from 'node:timers/promises';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import type { Library, LibraryClient, LibraryMessage } from './library-types.ts';
import { type Begin, type DeviceMessage, type FromSession, HIDDEN, type SessionMessage } from './protocol.ts';

export interface LibrarySession {
  send: (call: number, message: SessionMessage) => Promise<void>;
  /** Tells `loggedOut` if it worked. */
  logOut: () => Promise<void>;
  stop: () => Promise<void>;
}

const BROWSER_FLAGS = [
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-gpu',
  '--disk-cache-size=1',
  '--js-flags=--max-old-space-size=512',
  '--no-first-run',
  '--renderer-process-limit=1',
];
/** Larger files are left with WhatsApp, and the message says that there was one. */
const MOST_MEDIA_BYTES = 16 * 1024 * 1024;
/** A file that takes longer is left there too. */
const MEDIA_MS = 60_000;
const BROWSER_LOOK_MS = 100;
/** Before each question for a hidden number. */
const CONTACT_PAUSES_MS = [0, 500, 2_000];

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Chromium refuses its sandbox to root. */
const sandboxFlags = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

const clientOf = ({ Client, LocalAuth }: Library, begin: Begin): LibraryClient =>
  new Client({
    authStrategy: new LocalAuth({ dataPath: begin.folder }),
    puppeteer: {
      executablePath: begin.chromium,
      headless: true,
      // The browser ends with its pipe: one whose process was killed does not stay behind.
      pipe: true,
      args: [...BROWSER_FLAGS, ...sandboxFlags()],
    },
    // The page's own version: nothing is fetched from elsewhere, nor kept.
    webVersionCache: { type: 'none' },
    ...(begin.pairByCodeOf && {
      pairWithPhoneNumber: {
        phoneNumber: begin.pairByCodeOf,
        showNotification: true,
        intervalMs: begin.codeIntervalMs,
      },
    }),
  });

type Contact = Awaited<ReturnType<LibraryMessage['getContact']>>;

/** Asks again for a number that WhatsApp hides behind the id `lid`: the page may know it a little later. */
const contactOf = async (message: LibraryMessage, lid: string | undefined): Promise<Contact> => {
  for (const pauseMs of lid === undefined ? [0] : CONTACT_PAUSES_MS) {
    await sleep(pauseMs);
    const contact = await message.getContact().catch((): Contact => ({}));
    // The library may give the id itself as the number.
    if (lid === undefined || (contact.number && contact.number !== lid)) return contact;
  }
  return {};
};

const mediaOf = async (message: LibraryMessage): Promise<DeviceMessage['media']> => {
  if (!message.hasMedia) return undefined;
  const late = sleep(MEDIA_MS, undefined, { ref: false });
  const media = await Promise.race([message.downloadMedia(), late]).catch(() => undefined);
  const bytes = media && Buffer.from(media.data, 'base64');
  return media && bytes && bytes.length <= MOST_MEDIA_BYTES
    ? { bytes, mimeType: media.mimetype, fileName: media.filename ?? '' }
    : undefined;
};

/** Undefined for groups, lists and status messages. */
const received = async (message: LibraryMessage): Promise<DeviceMessage | undefined> => {
  const [user = '', server] = message.from.split('@');
  if (server !== 'c.us' && server !== 'lid') return undefined;
  const quoted = message.hasQuotedMsg ? await message.getQuotedMessage().catch(() => undefined) : undefined;
  const contact = await contactOf(message, server === 'lid' ? user : undefined);
  const number = server === 'c.us' ? user : contact.number;
  return {
    kind: 'message',
    id: message.id._serialized,
    from: number ? `+${number}` : `${HIDDEN}${user}`,
    text: message.body,
    atSeconds: message.timestamp,
    type: message.type,
    quotedMessage: quoted?.id._serialized,
    senderName: contact.pushname,
    hasFile: message.hasMedia,
    media: await mediaOf(message),
  };
};

const sentBy = (
  { MessageMedia }: Library,
  client: LibraryClient,
  { to, text, quotedMessage, file }: Omit<SessionMessage, 'recipient'> & { to: string },
): Promise<LibraryMessage | undefined> => {
  const options = {
    linkPreview: false,
    sendSeen: false,
    ...(quotedMessage && { quotedMessageId: quotedMessage }),
  };
  if (!file) return client.sendMessage(to, text, options);
  const media = new MessageMedia(file.mimeType, Buffer.from(file.bytes).toString('base64'), file.fileName);
  return client.sendMessage(to, media, {
    ...options,
    ...(text && { caption: text }),
    sendMediaAsDocument: file.asDocument,
  });
};

const outcomeOf = async (
  library: Library,
  client: LibraryClient,
  message: SessionMessage,
): Promise<SendOutcome> => {
  let to: { _serialized: string } | null;
  try {
    to = await client.getNumberId(message.recipient.replace(/\D/g, ''));
  } catch (error) {
    return { outcome: 'refused', code: 'E_LOOKUP', reason: words(error), retryable: true };
  }
  if (!to)
    return {
      outcome: 'refused',
      code: 'NOT_ON_WHATSAPP',
      reason: 'The number is not on WhatsApp.',
      retryable: false,
    };
  try {
    const sent = await sentBy(library, client, { ...message, to: to._serialized });
    return sent
      ? { outcome: 'accepted', providerMessageId: sent.id._serialized }
      : { outcome: 'unknown', reason: 'WhatsApp Web named no message.' };
  } catch (error) {
    // The page may have sent it before it failed.
    return { outcome: 'unknown', reason: words(error) };
  }
};

/** Drives one device by the library, and tells what happens to it. */
export const openLibrarySession = (
  library: Library,
  begin: Begin,
  tell: (told: FromSession) => void,
): LibrarySession => {
  const client = clientOf(library, begin);
  client.on('qr', (text) => tell({ kind: 'pairing', way: 'qr', text }));
  client.on('code', (text) => tell({ kind: 'pairing', way: 'code', text }));
  client.on('ready', () =>
    tell({
      kind: 'ready',
      phoneNumber: `+${client.info?.wid.user ?? ''}`,
      displayName: client.info?.pushname,
    }),
  );
  client.on('disconnected', (why) => tell({ kind: 'lost', why }));
  client.on('auth_failure', () => tell({ kind: 'lost', why: 'LOGOUT' }));
  client.on('message_ack', (message, ack) => {
    const [user = ''] = message.to.split('@');
    if (message.id.fromMe) tell({ kind: 'ack', id: message.id._serialized, recipient: `+${user}`, ack });
  });
  /** Messages are told in the order in which they came, however long the file of one takes. */
  let reading: Promise<unknown> = Promise.resolve();
  client.on('message', (message) => {
    reading = reading
      .then(() => received(message))
      .then((told) => told && tell(told))
      .catch((error) => tell({ kind: 'unread', why: words(error) }));
  });

  // The browser is there long before the page is; its process is told as soon as it can be, so that it can be ended.
  const looking = setInterval(() => {
    const pid = client.pupBrowser?.process()?.pid;
    if (pid === undefined) return;
    clearInterval(looking);
    tell({ kind: 'browser', pid });
  }, BROWSER_LOOK_MS);
  client.initialize().catch((error: unknown) => {
    process.stderr.write(`${words(error)}\n`);
    process.exit(1);
  });
  return {
    send: async (call, message) =>
      tell({ kind: 'sent', call, outcome: await outcomeOf(library, client, message) }),
    logOut: async () => {
      await client.logout();
      tell({ kind: 'loggedOut' });
    },
    stop: async () => {
      clearInterval(looking);
      await client.destroy().catch(() => {});
    },
  };
};
