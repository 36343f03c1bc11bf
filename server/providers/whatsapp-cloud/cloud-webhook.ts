import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ProviderWebhook, WebhookAnswer, WebhookCall } from '../../traffic/delivery/index.ts';
import { readWebhook } from './read-webhook.ts';

export interface CloudWebhookOptions {
  appSecret: string;
  verifyToken: string;
  /** The names of our lanes by the id of their number. */
  lanes: ReadonlyMap<string, string>;
  log: { warn: (facts: object, text: string) => void };
  /** Its path below /api/providers. */
  path?: string;
}

/** In the same time wherever they differ, and however long they are. */
const isSame = (given: string, expected: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};

const isSigned = ({ headers, body }: WebhookCall, appSecret: string): boolean => {
  const given = headers['x-hub-signature-256'];
  const expected = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return typeof given === 'string' && isSame(given, expected);
};

/** How Meta makes sure that the address is ours: it wants its challenge back. */
const verify = ({ query }: WebhookCall, verifyToken: string): WebhookAnswer =>
  query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', verifyToken)
    ? { status: 200, body: query.get('hub.challenge') ?? '' }
    : { status: 403 };

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Where Meta reports outcomes and delivers customers' messages. One address serves all numbers of the app. */
export const cloudWebhook = ({
  appSecret,
  verifyToken,
  lanes,
  log,
  path = 'whatsapp',
}: CloudWebhookOptions): ProviderWebhook => ({
  path,
  methods: ['GET', 'POST'],
  handle: async (call, receiver) => {
    if (call.method === 'GET') return verify(call, verifyToken);
    if (!isSigned(call, appSecret)) return { status: 401 };
    const body = parse(call.body);
    if (body === undefined) return { status: 400 };
    for (const { phoneNumberId, receipts, inbound, errors } of readWebhook(body)) {
      const lane = lanes.get(phoneNumberId);
      if (errors.length > 0) log.warn({ lane, errors }, 'WhatsApp tells of a trouble of its own');
      // A number of the same account that is not set up here: nobody waits for its reports.
      if (lane === undefined) {
        log.warn(
          { receipts: receipts.length, inbound: inbound.length },
          'WhatsApp tells of a number that is not ours',
        );
        continue;
      }
      await Promise.all([receiver.receipts(lane, receipts), receiver.inbound(lane, inbound)]);
    }
    return { status: 200 };
  },
});
