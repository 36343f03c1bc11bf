import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { listenOn } from './listen-on.ts';

const STAND_IN = fileURLToPath(new URL('./whatsapp-web-library.ts', import.meta.url));
/** By the last digits of a number: it is not on WhatsApp, its message is never answered, it writes back. */
const ABSENT = '000';
const SILENT = '999';
const ANSWERING = '777';

/** A browser that has opened WhatsApp Web. */
export interface Page {
  pid: number;
  browserPid: number;
  token: string | undefined;
  /** Of a number that is to be paired by a code. */
  code: string | undefined;
  /** The names of the variables that its process was given. */
  secrets: string[];
  say: (line: object) => void;
  /** Its owner scans the code: WhatsApp gives the browser a session. */
  scan: (digits?: string) => void;
  closed: Promise<unknown>;
  stopCodes?: () => void;
}

/** A message as the page was asked to send it. */
interface Taken {
  id: string;
  to: string;
  /** The caption of a file. */
  text: string;
  quoted?: string;
  media?: { mimetype: string; data: string; filename: string };
  asDocument?: boolean;
}

/**
 * Stands in for WhatsApp at the level of the library: who opens it without a known session gets codes, who has one is
 * connected. `next` waits for the next browser.
 */
export const openWhatsappWeb = async () => {
  /** What the far end does by itself. */
  const does = {
    /** Shows another code so often; 0: never. */
    renewMs: 0,
    /** Tells that each message was delivered. */
    reports: false,
    /** Never answers who wants to be logged out. */
    ignoresLogout: false,
    /** After so many messages it says this to the page. */
    after: undefined as { messages: number; say: object } | undefined,
  };
  const sessions = new Map<string, string>();
  const pages: Page[] = [];
  const taken: Taken[] = [];
  const arrivals: ((page: Page) => void)[] = [];

  const ready = (page: Page, token: string): void => {
    page.say({ token, wid: sessions.get(token), event: 'ready' });
  };
  const answer = (page: Page, { call, lookUp, send, logout }: Record<string, unknown>): void => {
    if (typeof logout === 'string' && !does.ignoresLogout) {
      sessions.delete(logout);
      page.say({ answer: call, id: 'done' });
    }
    if (typeof lookUp === 'string')
      page.say({ answer: call, id: lookUp.endsWith(ABSENT) ? null : `${lookUp}@c.us` });
    const message = send as Omit<Taken, 'id'> | undefined;
    if (!message) return;
    const id = `true_${message.to}_${randomUUID()}`;
    taken.push({ ...message, id });
    if (message.to.includes(`${SILENT}@`)) return;
    page.say({ answer: call, id });
    if (does.reports)
      page.say({
        event: 'message_ack',
        values: [{ id: { _serialized: id, fromMe: true }, to: message.to }, 2],
      });
    if (message.to.includes(`${ANSWERING}@`))
      page.say({
        event: 'message',
        values: [{ id: `false_${id}`, from: message.to, to: 'me@c.us', body: 'OK' }],
      });
    if (does.after && taken.length % does.after.messages === 0) page.say(does.after.say);
  };
  const showCodes = (page: Page): void => {
    let shown = 1;
    page.say(page.code ? { event: 'code', values: ['K7M29XPA'] } : { event: 'qr', values: ['2@first'] });
    if (does.renewMs === 0) return;
    const renewing = setInterval(() => {
      shown += 1;
      page.say({ event: 'qr', values: [`2@${shown}`] });
    }, does.renewMs);
    void page.closed.then(() => clearInterval(renewing));
    page.stopCodes = () => clearInterval(renewing);
  };
  const meet = (socket: Socket, hello: Omit<Page, 'say' | 'scan' | 'closed' | 'stopCodes'>): Page => {
    const page: Page = {
      ...hello,
      say: (line) => void (socket.destroyed || socket.write(`${JSON.stringify(line)}\n`)),
      scan: (digits = '85261110001') => {
        const token = randomUUID();
        sessions.set(token, digits);
        page.stopCodes?.();
        ready(page, token);
      },
      // Not by once of node:events, which rejects if the other end is gone while something is said.
      closed: new Promise((resolve) => socket.once('close', resolve)),
    };
    pages.push(page);
    if (page.token !== undefined && sessions.has(page.token)) ready(page, page.token);
    else showCodes(page);
    arrivals.shift()?.(page);
    return page;
  };
  const server = createServer((socket) => {
    let page: Page | undefined;
    socket.on('error', () => {});
    createInterface(socket).on('line', (line) => {
      const said = JSON.parse(line);
      if (said.hello) page = meet(socket, said.hello);
      else if (page) answer(page, said);
    });
  });
  const port = await listenOn(server);
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-wweb-'));
  const library = join(folder, 'library');
  const installed = join(library, 'node_modules', 'whatsapp-web.js');
  await mkdir(installed, { recursive: true });
  await writeFile(join(library, 'package.json'), '{}');
  await writeFile(join(installed, 'package.json'), '{ "name": "whatsapp-web.js", "main": "index.js" }');
  await writeFile(join(installed, 'index.js'), `module.exports = require(${JSON.stringify(STAND_IN)});`);

  return {
    folder,
    /** Where the stand-in of the library is installed. */
    library,
    environment: { WHATSAPP_STAND_IN: String(port) },
    does,
    pages,
    taken,
    next: (): Promise<Page> => new Promise((resolve) => arrivals.push(resolve)),
    /** The phone ends all links: no session is worth anything any more. */
    forget: () => sessions.clear(),
    close: async () => {
      for (const page of pages) page.say({});
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type WhatsappWebStandIn = Awaited<ReturnType<typeof openWhatsappWeb>>;
