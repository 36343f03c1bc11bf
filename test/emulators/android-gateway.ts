import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Asked, type Reaction, startHttpServer } from './http-server.ts';

/** A request of POST /messages, as the app's OpenAPI description has it (smsgateway.Message). */
const newMessage = z.strictObject({
  id: z.string().max(36).optional(),
  deviceId: z.string().max(21).optional(),
  textMessage: z.strictObject({ text: z.string().min(1).max(65_535) }),
  phoneNumbers: z.array(z.string()).min(1).max(100),
  simNumber: z.int().min(1).max(3).optional(),
  ttl: z.int().min(5).optional(),
  validUntil: z.iso.datetime().optional(),
  withDeliveryReport: z.boolean().optional(),
  priority: z.int().min(-128).max(127).optional(),
});
const STATES = ['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelled'] as const;
type State = (typeof STATES)[number];

interface Taken {
  id: string;
  to: string;
  text: string;
  state: State;
  error?: string;
  createdAt: string;
}

/** Of GET /inbox (smsgateway.IncomingMessage). */
interface Received {
  id: string;
  type: 'SMS';
  sender: string;
  recipient: string;
  simNumber: number;
  contentPreview: string;
  createdAt: string;
}

const USER = 'sms';
const PASSWORD = 'pass:word';
const DEVICE = 'PyDmBQZZXYmyxMwED8Fzy';
const answer = (status: number, body: unknown): Reaction => ({ status, body: JSON.stringify(body) });
const refuse = (status: number, message: string): Reaction => answer(status, { code: status, message });

/** The local server of «SMS Gateway for Android», as far as the agent uses it; anything undocumented is a fault. */
export const startAndroidGateway = async () => {
  const taken = new Map<string, Taken>();
  const inbox: Received[] = [];
  const faults: string[] = [];
  /** By recipient: what becomes of its message. */
  const fates: Record<string, State | 'refused' | 'queue-full' | 'lost-answer' | 'silent'> = {};
  let isUp = true;

  const show = ({ id, to, state, error, createdAt }: Taken) => ({
    id,
    deviceId: DEVICE,
    state,
    isHashed: false,
    isEncrypted: false,
    recipients: [{ phoneNumber: to, state, ...(error && { error }) }],
    states: {},
    createdAt,
  });
  const post = ({ body }: Asked): Reaction => {
    const read = newMessage.safeParse(JSON.parse(body));
    if (!read.success) {
      faults.push(z.prettifyError(read.error));
      return refuse(400, 'Invalid request');
    }
    const { id = randomUUID(), phoneNumbers, textMessage } = read.data;
    const [to = ''] = phoneNumbers;
    const fate = fates[to] ?? 'Sent';
    if (fate === 'refused') return refuse(400, 'Invalid phone number');
    if (fate === 'queue-full') return refuse(503, 'Queue limits exceeded');
    if (taken.has(id)) return refuse(409, 'Message with such ID already exists');
    if (fate === 'silent') return 'silence';
    const state = fate === 'lost-answer' ? 'Sent' : fate;
    const one: Taken = { id, to, text: textMessage.text, state, createdAt: new Date().toISOString() };
    taken.set(id, state === 'Failed' ? { ...one, error: 'RESULT_ERROR_NO_SERVICE' } : one);
    return fate === 'lost-answer' ? 'hang-up' : answer(202, show(one));
  };
  const page = <Item>(items: Item[], query: URLSearchParams): Item[] => {
    const offset = Number(query.get('offset') ?? 0);
    return items.slice(offset, offset + Number(query.get('limit') ?? 50));
  };
  const since = ({ query }: Asked): string => query.get('from') ?? '';
  const react = (asked: Asked): Reaction => {
    if (asked.headers.authorization !== `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`)
      return refuse(401, 'Unauthorized');
    const [, room, id] = asked.path.split('/');
    const call = `${asked.method} /${room}${id ? '/{id}' : ''}`;
    const one = taken.get(id ?? '');
    switch (call) {
      case 'GET /health':
        return answer(isUp ? 200 : 503, { status: isUp ? 'pass' : 'fail', version: '1.50.0', releaseId: 50 });
      case 'POST /messages':
        return post(asked);
      case 'GET /messages':
        return answer(
          200,
          page(
            [...taken.values()].filter(({ createdAt }) => createdAt >= since(asked)),
            asked.query,
          ).map(show),
        );
      case 'GET /messages/{id}':
        return one ? answer(200, show(one)) : refuse(404, 'Message not found');
      case 'DELETE /messages/{id}':
        if (!one) return refuse(404, 'Message not found');
        if (one.state === 'Pending') one.state = 'Cancelled';
        return answer(200, show(one));
      case 'GET /inbox':
        return answer(
          200,
          page(
            inbox.filter(({ createdAt }) => createdAt >= since(asked)),
            asked.query,
          ),
        );
      default:
        faults.push(`${call} is not in the app's description`);
        return refuse(404, 'Not found');
    }
  };
  const server = await startHttpServer(react);
  return {
    url: server.url,
    username: USER,
    password: PASSWORD,
    taken,
    faults,
    fates,
    setUp: (up: boolean): void => {
      isUp = up;
    },
    settle: (id: string, state: 'Delivered' | 'Failed'): void => {
      const one = taken.get(id);
      if (one) one.state = state;
    },
    receive: ({ from, text }: { from: string; text: string }): void => {
      inbox.push({
        // The app makes it of the text: it is not unique.
        id: Buffer.from(text).toString('hex').slice(0, 16),
        type: 'SMS',
        sender: from,
        recipient: '+85261110000',
        simNumber: 1,
        contentPreview: text,
        createdAt: new Date().toISOString(),
      });
    },
    stop: server.stop,
  };
};
