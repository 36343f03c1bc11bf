import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Asked, type Reaction, startHttpServer } from './http-server.ts';

/** What a gateway was asked to send. */
interface Sending {
  id: string;
  to: string;
  from: string | null;
  text: string;
  callback: string | null;
}

interface Told {
  url: string;
  init: RequestInit;
}

/** How one kind of gateway talks. Requests that break its rules are refused, as its document says. */
export interface Style {
  env: Record<string, string>;
  /** Parses a request, or returns why it can't. */
  read: (asked: Asked) => Omit<Sending, 'id'> | Answer;
  accepted: (id: string) => Answer;
  refused: (kind: 'recipient' | 'busy') => Answer;
  report: (sending: Sending, state: 'delivered' | 'failed') => Told;
  inbound: (url: string, message: { from: string; to: string; text: string }) => Told;
}

const KEY = 'k-7f2d9';
const SIGNING = 'whsec_0a1b2c';
const json = (status: number, value: object): Answer => ({ status, body: JSON.stringify(value) });

const signed = (url: string, value: object): Told => {
  const body = JSON.stringify(value);
  const at = String(Date.now());
  const signature = createHmac('sha256', SIGNING).update(`${at}.${body}`).digest('hex');
  return {
    url,
    init: {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-timestamp': at,
        'x-signature': `sha256=${signature}`,
      },
      body,
    },
  };
};

/** JSON both ways, several reports in one call, signed with a timestamp. */
export const jsonStyle: Style = {
  env: { JSON_API_KEY: KEY, JSON_API_SIGNING_SECRET: SIGNING },
  read: ({ method, path, headers, body }) => {
    const error = (status: number, code: string) =>
      json(status, { error: { code, text: `refused: ${code}` } });
    if (method !== 'POST' || path !== '/v1/messages') return error(404, 'NO_SUCH_CALL');
    if (headers.authorization !== `Bearer ${KEY}`) return error(401, 'UNAUTHORIZED');
    if (headers['content-type'] !== 'application/json') return error(415, 'NOT_JSON');
    const { messages, notifyUrl, ...rest } = JSON.parse(body);
    const [one, ...more] = messages;
    const { to, from, text, reference, ...unknown } = one;
    if ([...Object.keys(rest), ...Object.keys(unknown), ...more].length > 0)
      return error(400, 'UNKNOWN_FIELD');
    if (typeof reference !== 'string' || typeof text !== 'string' || text === '')
      return error(400, 'BAD_FIELD');
    if (!/^\+\d{8,15}$/.test(to)) return error(400, 'BAD_DESTINATION');
    return { to, from: from ?? null, text, callback: notifyUrl ?? null };
  },
  accepted: (id) => json(202, { messages: [{ id, status: 'ACCEPTED' }] }),
  refused: (kind) =>
    kind === 'busy'
      ? json(429, { error: { code: 'THROTTLED', text: 'slow down' } })
      : json(400, { error: { code: 'BAD_DESTINATION', text: 'no such number' } }),
  report: ({ id, to, callback }, state) =>
    signed(callback ?? '', {
      results: [
        state === 'delivered'
          ? { id, to, status: 'DELIVERED' }
          : { id, to, status: 'UNDELIVERABLE', error: 'EC_ABSENT' },
      ],
    }),
  inbound: (url, message) => signed(url, { results: [{ id: randomUUID(), ...message }] }),
};

const plain = (status: number, body: string): Answer => ({ status, type: 'text/plain', body });
const addQuery = (url: string, fields: Record<string, string>): Told => {
  const full = new URL(url);
  for (const [name, value] of Object.entries(fields)) full.searchParams.set(name, value);
  return { url: full.href, init: { method: 'GET' } };
};

/** Everything in the address, as in gateways since the nineties; every answer is 200. */
export const queryStyle: Style = {
  env: { QUERY_API_USER: 'user', QUERY_API_PASSWORD: 'p&ss=w#rd', QUERY_API_HOOK: 'hook token/1' },
  read: ({ method, path, query }) => {
    if (method !== 'GET' || path !== '/cgi-bin/sendsms') return plain(404, 'ERR 404 Not found');
    if (query.get('username') !== 'user' || query.get('password') !== 'p&ss=w#rd')
      return plain(200, 'ERR 101 Authentication failed');
    const [to, text] = [query.get('to') ?? '', query.get('text') ?? ''];
    if (!/^\d{8,15}$/.test(to)) return plain(200, 'ERR 105 Invalid number');
    if (text === '') return plain(200, 'ERR 106 Empty text');
    return { to: `+${to}`, from: query.get('from'), text, callback: query.get('dlr-url') };
  },
  accepted: (id) => plain(200, `OK id=${id}`),
  refused: (kind) => plain(200, kind === 'busy' ? 'ERR 110 Too fast' : 'ERR 105 Invalid number'),
  report: ({ id, callback }, state) =>
    addQuery(callback ?? '', { id, status: state === 'delivered' ? 'DELIVRD' : 'UNDELIV', err: '42' }),
  inbound: (url, { from, to, text }) =>
    addQuery(`${url}?token=${encodeURIComponent('hook token/1')}`, {
      id: randomUUID(),
      from: from.replace('+', ''),
      to: to.replace('+', ''),
      text,
    }),
};

const XML_TEXTS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Only what is well-formed: a bare & or < breaks the document. */
const readXml = (body: string): Record<string, string> | undefined => {
  const [, inner] = /^<submit>(.*)<\/submit>$/s.exec(body) ?? [];
  if (inner === undefined) return undefined;
  const found: Record<string, string> = {};
  const rest = inner.replaceAll(/<(\w+)>([^<]*)<\/\1>/g, (_, name: string, text: string) => {
    if (!/^(?:[^&]|&(?:amp|lt|gt|quot|apos);)*$/s.test(text) || name in found) return '<broken>';
    found[name] = text.replaceAll(/&(\w+);/g, (__, entity: string) => XML_TEXTS[entity] ?? '');
    return '';
  });
  return rest === '' ? found : undefined;
};
const xml = (code: number, inner: string): Answer => ({
  status: 200,
  type: 'text/xml',
  body: `<?xml version="1.0"?>\n<result code="${code}">${inner}</result>`,
});
const posted = (url: string, fields: Record<string, string>): Told => ({
  url,
  init: { method: 'POST', headers: { 'x-api-key': 'Key hook' }, body: new URLSearchParams(fields) },
});

export const xmlStyle: Style = {
  env: { XML_API_USER: 'xml', XML_API_PASSWORD: 'pass:word', XML_API_HOOK: 'hook' },
  read: ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== '/submit') return { status: 404, body: '' };
    if (headers.authorization !== `Basic ${Buffer.from('xml:pass:word').toString('base64')}`)
      return { status: 401, body: '' };
    const read = readXml(body);
    if (!read) return xml(1, '<reason>not well-formed</reason>');
    const { to = '', from = '', text = '', callback = '' } = read;
    if (!/^\+\d{8,15}$/.test(to)) return xml(12, '<reason>bad number</reason>');
    return { to, from: from || null, text, callback: callback || null };
  },
  accepted: (id) => xml(0, `<id>${id}</id>`),
  refused: (kind) =>
    kind === 'busy' ? xml(30, '<reason>busy</reason>') : xml(12, '<reason>bad number</reason>'),
  report: ({ id, callback }, state) =>
    posted(callback ?? '', { msgid: id, state: state === 'delivered' ? '1' : '2', reason: '7' }),
  inbound: (url, { from, to, text }) =>
    posted(url, { msgid: randomUUID(), source: `00${from.replace('+', '')}`, destination: to, text }),
};

export type Trouble = 'busy' | 'refused' | 'silence' | 'hang-up' | 'broken' | 'page';

/** A gateway of a style that accepts messages, counts them and calls back until that succeeds. */
export const startGateway = async (style: Style, { latencyMs = 0 } = {}) => {
  const taken = new Map<string, Sending>();
  const troubles = new Map<string, Trouble>();
  let busy = false;
  const server = await startHttpServer(async (asked): Promise<Reaction> => {
    const read = style.read(asked);
    if ('status' in read) return read;
    const trouble = troubles.get(read.to);
    if (latencyMs > 0) await sleep(latencyMs);
    if (busy || trouble === 'busy') return style.refused('busy');
    if (trouble === 'refused') return style.refused('recipient');
    const sending = { ...read, id: randomUUID() };
    taken.set(sending.id, sending);
    if (trouble === 'silence' || trouble === 'hang-up') return trouble;
    if (trouble === 'broken') return { status: 502, body: 'Bad gateway' };
    if (trouble === 'page') return { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' };
    return style.accepted(sending.id);
  });
  const tell = async ({ url, init }: Told): Promise<{ status: number; body: string }> => {
    for (let tried = 0; ; tried += 1) {
      const response = await fetch(url, init);
      if (response.status < 500 || tried > 20)
        return { status: response.status, body: await response.text() };
      await sleep(50);
    }
  };
  return {
    ...server,
    all: () => [...taken.values()],
    /** Defers everything. */
    setBusy: (given: boolean): void => {
      busy = given;
    },
    trouble: (to: string, kind: Trouble) => void troubles.set(to, kind),
    report: (id: string, state: 'delivered' | 'failed') => {
      const sending = taken.get(id);
      if (!sending) throw new Error(`the gateway has no message ${id}`);
      return tell(style.report(sending, state));
    },
    write: (url: string, message: { from: string; to: string; text: string }) =>
      tell(style.inbound(url, message)),
  };
};
export type Gateway = Awaited<ReturnType<typeof startGateway>>;
