import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TITLES } from './graph-api-errors.ts';

export interface WebhookTarget {
  url: string;
  appSecret: string;
  verifyToken: string;
}

export interface Status {
  id: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  to: string;
  /** Seconds since 1970. */
  timestamp?: number;
  callbackData?: string | undefined;
  errorCode?: number;
}

/** As in 'Status messages webhook reference'. */
export const statusPart = ({ id, status, to, timestamp, callbackData, errorCode }: Status): object => ({
  id,
  status,
  timestamp: String(timestamp ?? Math.floor(Date.now() / 1_000)),
  recipient_id: to,
  ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
  ...((status === 'sent' || status === 'delivered') && {
    conversation: {
      id: 'a75d17ad06104c51166f948319b03c6a',
      ...(status === 'sent' && { expiration_timestamp: String(Math.floor(Date.now() / 1_000) + 86_400) }),
      origin: { type: 'service' },
    },
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' },
  }),
  ...(errorCode !== undefined && {
    errors: [
      {
        code: errorCode,
        title: TITLES[errorCode] ?? 'Error',
        message: TITLES[errorCode] ?? 'Error',
        error_data: { details: 'Message failed to send.' },
        href: '/documentation/business-messaging/whatsapp/support/error-codes/',
      },
    ],
  }),
});

interface Number {
  waba: string;
  phoneNumberId: string;
  displayNumber: string;
}

/** The envelope of the reports about one number. */
export const frame = ({ waba, phoneNumberId, displayNumber }: Number, value: object): object => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: waba,
      changes: [
        {
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: displayNumber, phone_number_id: phoneNumberId },
            ...value,
          },
          field: 'messages',
        },
      ],
    },
  ],
});

export const inboundValue = (from: string, message: { id: string } & Record<string, unknown>): object => ({
  contacts: [{ profile: { name: 'A Customer' }, wa_id: from }],
  messages: [{ from, timestamp: String(Math.floor(Date.now() / 1_000)), ...message }],
});

export const sign = (body: string, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

const FIRST_WAIT_MS = 50;
const MOST_TRIES = 40;

/** Calls until it is answered with 200, as Meta does (for days, with longer pauses). Counts its attempts. */
export const openWebhooks = () => {
  const tries: number[] = [];
  let closed = false;

  const once = async ({ url, appSecret }: WebhookTarget, body: string): Promise<number> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body, appSecret) },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const deliver = async (target: WebhookTarget, payload: object): Promise<void> => {
    const body = JSON.stringify(payload);
    for (let tried = 1; tried <= MOST_TRIES && !closed; tried += 1) {
      const status = await once(target, body).catch(() => 0);
      tries.push(status);
      if (status === 200) return;
      await sleep(FIRST_WAIT_MS * Math.min(8, tried));
    }
  };
  const verify = async ({ url, verifyToken }: WebhookTarget): Promise<boolean> => {
    const challenge = '1158201444';
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    });
    const answer = await fetch(`${url}?${query}`);
    return answer.status === 200 && (await answer.text()) === challenge;
  };
  return {
    deliver,
    once,
    verify,
    tries,
    close: () => {
      closed = true;
    },
  };
};
