/**
 * Stands in for the npm package `whatsapp-web.js` in the process of a device: the same class with the events and
 * methods that we use. Instead of a page in a browser it talks to the stand-in of WhatsApp in whatsapp-web.ts, by lines
 * of JSON. Its browser is a process of its own that does nothing, and stays when nobody ends it. The session is a file
 * in the browser's profile, where a page would keep it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const FILE = join('session', 'Default', 'Local Storage', 'leveldb', '000003.log');
const IDLE = 'setInterval(() => {}, 60_000)';

export class LocalAuth {
  readonly dataPath: string;
  constructor({ dataPath }: { dataPath: string }) {
    this.dataPath = dataPath;
  }
}

export class MessageMedia {
  readonly mimetype: string;
  readonly data: string;
  readonly filename: string;
  constructor(mimetype: string, data: string, filename: string) {
    this.mimetype = mimetype;
    this.data = data;
    this.filename = filename;
  }
}

interface SendOptions {
  caption?: string;
  quotedMessageId?: string;
  sendMediaAsDocument?: boolean;
}

interface Options {
  authStrategy: LocalAuth;
  puppeteer: { executablePath: string; args: string[] };
  pairWithPhoneNumber?: { phoneNumber: string };
}

interface Line {
  event?: string;
  values?: unknown[];
  /** After pairing: what the profile keeps. */
  token?: string;
  wid?: string;
  answer?: number;
  id?: string | null;
  hogMegabytes?: number;
}

export class Client extends EventEmitter {
  info: { wid: { user: string }; pushname: string } | undefined;
  pupBrowser: { process: () => ChildProcess } | null = null;
  readonly #options: Options;
  #socket: Socket | undefined;
  #last = 0;
  readonly #waiting = new Map<number, (id: string | null) => void>();
  readonly #hog: Buffer[] = [];

  constructor(options: Options) {
    super();
    this.#options = options;
  }

  get #file(): string {
    return join(this.#options.authStrategy.dataPath, FILE);
  }

  #token(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return undefined;
    }
  }

  #post(said: object): void {
    this.#socket?.write(`${JSON.stringify(said)}\n`);
  }

  #hear({ event, values = [], token, wid, answer, id = null, hogMegabytes = 0 }: Line): void {
    if (token !== undefined) {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, token);
    }
    if (wid !== undefined) this.info = { wid: { user: wid }, pushname: 'Ann' };
    if (hogMegabytes > 0) this.#hog.push(Buffer.alloc(hogMegabytes * 1024 * 1024, 1));
    if (answer !== undefined) this.#waiting.get(answer)?.(id);
    if (event) this.emit(event, ...values.map((value) => (event === 'message' ? asMessage(value) : value)));
  }

  #ask(said: object): Promise<string | null> {
    this.#last += 1;
    const call = this.#last;
    this.#post({ ...said, call });
    return new Promise((resolve) => this.#waiting.set(call, resolve));
  }

  async initialize(): Promise<void> {
    const { authStrategy, puppeteer, pairWithPhoneNumber } = this.#options;
    const { executablePath, args } = puppeteer;
    const browser = spawn(executablePath, ['-e', IDLE, '--', authStrategy.dataPath, ...args], {
      detached: true,
      stdio: 'ignore',
    });
    this.pupBrowser = { process: () => browser };
    const socket = connect(Number(process.env.WHATSAPP_STAND_IN), '127.0.0.1');
    this.#socket = socket;
    socket.on('error', () => this.emit('disconnected', 'NAVIGATION'));
    createInterface(socket).on('line', (line) => this.#hear(JSON.parse(line)));
    this.#post({
      hello: {
        token: this.#token(),
        pid: process.pid,
        browserPid: browser.pid,
        code: pairWithPhoneNumber?.phoneNumber,
        secrets: Object.keys(process.env),
      },
    });
  }

  async destroy(): Promise<void> {
    this.#socket?.destroy();
    this.pupBrowser?.process().kill();
  }

  async getNumberId(digits: string): Promise<{ _serialized: string } | null> {
    const id = await this.#ask({ lookUp: digits });
    return id === null ? null : { _serialized: id };
  }

  async sendMessage(to: string, content: string | MessageMedia, options: SendOptions): Promise<unknown> {
    const { caption = '', quotedMessageId: quoted, sendMediaAsDocument: asDocument } = options;
    const [text, media] = typeof content === 'string' ? [content, undefined] : [caption, content];
    const id = await this.#ask({ send: { to, text, quoted, ...(media && { media, asDocument }) } });
    if (id === null) throw new Error('Evaluation failed');
    return asMessage({ id, from: 'me@c.us', to, body: text, fromMe: true });
  }

  async logout(): Promise<void> {
    await this.#ask({ logout: this.#token() });
    this.pupBrowser?.process().kill();
    rmSync(this.#file, { force: true });
  }
}

interface Given extends Record<string, unknown> {
  id: string;
  fromMe?: boolean;
  /** In base64. */
  media?: string;
  /** A file of so many bytes instead. */
  mediaBytes?: number;
  quoted?: string;
  contact?: object;
  /** So often the contact can't be had. */
  contactFaults?: number;
}

const asMessage = (given: unknown) => {
  const {
    id,
    fromMe = false,
    media,
    mediaBytes = 0,
    quoted,
    contact = { number: '85261112222', pushname: 'Ben' },
    contactFaults = 0,
    ...rest
  } = given as Given;
  let faults = contactFaults;
  return {
    type: 'chat',
    timestamp: Math.floor(Date.now() / 1_000),
    ...rest,
    id: { _serialized: id, fromMe },
    hasMedia: media !== undefined || mediaBytes > 0,
    hasQuotedMsg: quoted !== undefined,
    downloadMedia: async () => ({
      data: media ?? Buffer.alloc(mediaBytes).toString('base64'),
      mimetype: 'image/png',
      filename: null,
    }),
    getQuotedMessage: async () => ({ id: { _serialized: quoted, fromMe: true } }),
    getContact: async () => {
      faults -= 1;
      if (faults >= 0) throw new Error('Evaluation failed');
      return contact;
    },
  };
};
