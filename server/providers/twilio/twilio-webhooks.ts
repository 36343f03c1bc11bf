import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { ProviderWebhook, WebhookAnswer, WebhookCall } from '../../traffic/delivery/index.ts';
import type { Inbound, Receipt } from '../../traffic/lanes/index.ts';
import { codeOf } from './twilio-errors.ts';
import { isSigned } from './twilio-signature.ts';

interface TwilioWebhookOptions {
  laneName: string;
  authToken: string;
  /** The address that Twilio calls begins with it. */
  publicUrl: string;
  /** Its path below /api/providers. */
  at?: string;
}

/** Message statuses of twilio.com/docs/messaging/api/message-resource. */
const STATES: Record<string, Receipt['state']> = {
  accepted: 'enroute',
  scheduled: 'enroute',
  queued: 'enroute',
  sending: 'enroute',
  sent: 'enroute',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};
const FORGED: WebhookAnswer = { status: 403, body: 'The signature is wrong.' };
const UNREADABLE: WebhookAnswer = { status: 400, body: 'This is not a call of Twilio.' };
const NO_ANSWER = { status: 200, type: 'text/xml', body: '<Response/>' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const readStatus = (fields: URLSearchParams, id: string | null, at: Date): Receipt | undefined => {
  const sid = fields.get('MessageSid') ?? fields.get('SmsSid');
  const status = fields.get('MessageStatus') ?? fields.get('SmsStatus') ?? '';
  if (!sid || status === '') return undefined;
  // Twilio may add statuses; the final ones are these.
  const state = STATES[status] ?? 'enroute';
  const error = Number(fields.get('ErrorCode'));
  return {
    providerMessageId: sid,
    state,
    at,
    code: state !== 'failed' ? '' : error > 0 ? codeOf(error) : status === 'canceled' ? 'CANCELLED' : '',
    ...(id && UUID.test(id) && { messageId: id as MessageId }),
    recipient: fields.get('To') ?? undefined,
  };
};

/** Pictures and other media come as their addresses at Twilio. */
const textOf = (fields: URLSearchParams): string => {
  const count = Math.min(10, Number(fields.get('NumMedia')) || 0);
  const media = Array.from({ length: count }, (_, at) => fields.get(`MediaUrl${at}`) ?? '');
  return [fields.get('Body') ?? '', ...media].filter((part) => part !== '').join('\n');
};

export const readTwilioInbound = (fields: URLSearchParams, at: Date): Inbound | undefined => {
  const [sid, from, to] = ['MessageSid', 'From', 'To'].map((name) => fields.get(name));
  return sid && from && to ? { providerMessageId: sid, from, to, text: textOf(fields), at } : undefined;
};

/** Where Twilio reports outcomes, and delivers incoming messages. */
export const twilioWebhooks = ({
  laneName,
  authToken,
  publicUrl,
  at = 'twilio',
}: TwilioWebhookOptions): ProviderWebhook[] => {
  const fieldsOf = (call: WebhookCall): URLSearchParams | undefined => {
    const fields = new URLSearchParams(call.body.toString('utf8'));
    const signature = String(call.headers['x-twilio-signature'] ?? '');
    return isSigned(authToken, { signature, url: publicUrl + call.url, fields }) ? fields : undefined;
  };
  return [
    {
      path: `${at}/status`,
      methods: ['POST'],
      handle: async (call, receiver) => {
        const fields = fieldsOf(call);
        if (!fields) return FORGED;
        const receipt = readStatus(fields, call.query.get('id'), new Date());
        if (!receipt) return UNREADABLE;
        await receiver.receipts(laneName, [receipt]);
        return { status: 204 };
      },
    },
    {
      path: `${at}/inbound`,
      methods: ['POST'],
      handle: async (call, receiver) => {
        const fields = fieldsOf(call);
        if (!fields) return FORGED;
        const inbound = readTwilioInbound(fields, new Date());
        if (!inbound) return UNREADABLE;
        await receiver.inbound(laneName, [inbound]);
        return NO_ANSWER;
      },
    },
  ];
};
