import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { listenOn } from '../listen-on.ts';
import { GraphRefusal } from './graph-api-errors.ts';
import { readMessage, type SentMessage } from './graph-api-schema.ts';
import { type ApprovedTemplate, checkTemplate, TEMPLATES } from './graph-api-templates.ts';
import {
  frame,
  inboundValue,
  openWebhooks,
  type Status,
  statusPart,
  type WebhookTarget,
} from './graph-api-webhooks.ts';

interface GraphBehaviour {
  /** Whether the 24 hours are checked, and how a message beyond them is refused. */
  sessions: 'not-checked' | 'in-answer' | 'in-status';
  /** Answers every request to send with this error. */
  errorCode: number | undefined;
  /** Answers every request to send with this status and without JSON. */
  bareStatus: number | undefined;
  perSecond: number;
  /** Statuses that follow automatically, before the answer if `early`. */
  statuses: Status['status'][];
  early: boolean;
  tokenExpired: boolean;
}

export interface GraphOptions {
  token?: string;
  numbers?: { phoneNumberId: string; displayNumber: string }[];
  waba?: string;
  templates?: ApprovedTemplate[];
  behaviour?: Partial<GraphBehaviour>;
  webhook?: WebhookTarget;
}

interface Taken extends SentMessage {
  id: string;
  phoneNumberId: string;
}

interface Media {
  bytes: Buffer;
  mimeType: string;
  /** The reported value, if it is not the true one. */
  sha256?: string;
}

/** Recipients with special behaviour, by their last digits. */
const MAGIC = { undeliverable: '9001', pairLimited: '9002', silent: '9005', dropped: '9006' };

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
};

const answerJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
};

/** Meta's Graph API, as far as WhatsApp's Cloud API needs it: on a socket, and as strict as documented. */
export const startGraphApi = async (options: GraphOptions = {}) => {
  const token = options.token ?? 'EAAtoken';
  const waba = options.waba ?? '102290129340398';
  const numbers = options.numbers ?? [{ phoneNumberId: '106540352242922', displayNumber: '15550783881' }];
  const templates = options.templates ?? TEMPLATES;
  const behaviour: GraphBehaviour = {
    sessions: 'not-checked',
    errorCode: undefined,
    bareStatus: undefined,
    perSecond: Number.POSITIVE_INFINITY,
    statuses: [],
    early: false,
    tokenExpired: false,
    ...options.behaviour,
  };
  const taken: Taken[] = [];
  const media = new Map<string, Media>();
  /** When a customer last wrote to a number of ours. */
  const wrote = new Map<string, number>();
  const known = new Set<string>();
  const webhooks = openWebhooks();
  let webhook = options.webhook;
  let recent: number[] = [];
  let requests = 0;

  const newId = () => `wamid.${randomBytes(24).toString('base64')}`;
  const numberOf = (phoneNumberId: string) => {
    const found = numbers.find((one) => one.phoneNumberId === phoneNumberId);
    if (!found) throw new GraphRefusal(100, `Object with ID '${phoneNumberId}' does not exist`);
    return { waba, ...found };
  };
  const tell = (phoneNumberId: string, value: object): Promise<void> =>
    webhook ? webhooks.deliver(webhook, frame(numberOf(phoneNumberId), value)) : Promise.resolve();

  const report = async (id: string, status: Status['status'], rest: Partial<Status> = {}): Promise<void> => {
    const message = taken.find((one) => one.id === id);
    const to = message?.to.replace(/^\+/, '') ?? '';
    const callbackData = message?.biz_opaque_callback_data;
    const phoneNumberId = message?.phoneNumberId ?? numbers[0]?.phoneNumberId ?? '';
    await tell(phoneNumberId, { statuses: [statusPart({ id, status, to, callbackData, ...rest })] });
  };

  const checkLimits = (): void => {
    const now = Date.now();
    recent = recent.filter((at) => at > now - 1_000);
    if (recent.length >= behaviour.perSecond)
      throw new GraphRefusal(130429, 'Message failed to send because there were too many messages sent');
    recent.push(now);
  };

  const isOutside = (phoneNumberId: string, { to, type }: SentMessage): boolean => {
    if (behaviour.sessions === 'not-checked' || type === 'template') return false;
    const at = wrote.get(`${phoneNumberId} ${to.replace(/^\+/, '')}`);
    return at === undefined || at < Date.now() - 86_400_000;
  };

  const check = (phoneNumberId: string, body: unknown): SentMessage => {
    if (behaviour.errorCode !== undefined) throw new GraphRefusal(behaviour.errorCode, 'As the test asks.');
    const message = readMessage(body);
    checkLimits();
    if (message.to.endsWith(MAGIC.undeliverable))
      throw new GraphRefusal(131026, 'Message undeliverable: the recipient is not on WhatsApp');
    if (message.to.endsWith(MAGIC.pairLimited)) throw new GraphRefusal(131056, 'Too many to this recipient');
    if (message.template) checkTemplate(templates, message.template);
    if (message.context && !known.has(message.context.message_id))
      throw new GraphRefusal(131009, 'Parameter value is not valid: context.message_id');
    if (behaviour.sessions === 'in-answer' && isOutside(phoneNumberId, message))
      throw new GraphRefusal(131047, 'More than 24 hours have passed since the customer last replied');
    return message;
  };

  const send = async (phoneNumberId: string, request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    if (behaviour.bareStatus !== undefined) {
      response.writeHead(behaviour.bareStatus, { 'content-type': 'text/html' }).end('<html>Sorry</html>');
      return;
    }
    const message = check(phoneNumberId, body);
    const id = newId();
    taken.push({ ...message, id, phoneNumberId });
    known.add(id);
    if (message.to.endsWith(MAGIC.silent)) return;
    if (message.to.endsWith(MAGIC.dropped)) {
      request.socket.destroy();
      return;
    }
    const follow = async () => {
      if (behaviour.sessions === 'in-status' && isOutside(phoneNumberId, message))
        return report(id, 'failed', { errorCode: 131047 });
      for (const status of behaviour.statuses) await report(id, status);
    };
    if (behaviour.early) await follow();
    answerJson(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: message.to.replace(/^\+/, '') }],
      messages: [{ id, ...(message.template && { message_status: 'accepted' }) }],
    });
    if (!behaviour.early) void follow();
  };

  const answerMedia = (id: string, response: ServerResponse): void => {
    const found = media.get(id);
    if (!found) throw new GraphRefusal(100, `Unsupported get request. Object with ID '${id}' does not exist`);
    answerJson(response, 200, {
      messaging_product: 'whatsapp',
      url: `${url()}/attachments/?mid=${id}`,
      mime_type: found.mimeType,
      sha256: found.sha256 ?? createHash('sha256').update(found.bytes).digest('hex'),
      file_size: found.bytes.length,
      id,
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    if (behaviour.tokenExpired || request.headers.authorization !== `Bearer ${token}`)
      throw new GraphRefusal(190, 'Error validating access token: session has expired');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://graph');
    const [, version = '', first = '', second] = pathname.split('/');
    if (version === 'attachments') {
      const found = media.get(searchParams.get('mid') ?? '');
      response
        .writeHead(found ? 200 : 404, { 'content-type': found?.mimeType ?? 'text/plain' })
        .end(found?.bytes);
      return;
    }
    if (!/^v\d+\.0$/.test(version)) throw new GraphRefusal(100, `Unknown path components: ${pathname}`);
    if (request.method === 'POST' && second === 'messages') {
      numberOf(first);
      return send(first, request, response);
    }
    if (request.method === 'GET' && second === undefined) {
      const number = numbers.find((one) => one.phoneNumberId === first);
      return number
        ? answerJson(response, 200, { id: first, display_phone_number: `+${number.displayNumber}` })
        : answerMedia(first, response);
    }
    throw new GraphRefusal(100, `Unsupported ${request.method?.toLowerCase()} request`);
  };

  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => {
      answer(request, response).catch((error) => {
        if (error instanceof GraphRefusal) answerJson(response, error.status, error.body);
        else response.writeHead(500).end();
      });
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await listenOn(server, port);
    return server;
  };
  let returning: NodeJS.Timeout | undefined;
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = () => `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    const stopped = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await stopped;
  };

  return {
    url,
    token,
    waba,
    numbers,
    behaviour,
    taken,
    requests: () => requests,
    webhooks,
    report,
    tell,
    setWebhook: (target: WebhookTarget) => {
      webhook = target;
    },
    /** A customer writes; returns the message's id. */
    write: async (
      from: string,
      message: Record<string, unknown>,
      phoneNumberId = numbers[0]?.phoneNumberId ?? '',
    ) => {
      const id = String(message.id ?? newId());
      const digits = from.replace(/^\+/, '');
      known.add(id);
      wrote.set(`${phoneNumberId} ${digits}`, Number(message.timestamp ?? Date.now() / 1_000) * 1_000);
      await tell(phoneNumberId, inboundValue(digits, { ...message, id }));
      return id;
    },
    addMedia: (one: Media): string => {
      const id = String(10 ** 15 + media.size);
      media.set(id, one);
      return id;
    },
    loseMedia: (id: string) => media.delete(id),
    stop,
    /** Unreachable for a moment. */
    cut: async (forMs = 300): Promise<void> => {
      await stop();
      returning = setTimeout(async () => {
        server = await listen(port);
      }, forMs);
    },
    close: async () => {
      clearTimeout(returning);
      webhooks.close();
      await stop();
    },
  };
};
export type GraphApi = Awaited<ReturnType<typeof startGraphApi>>;
