import { z } from 'zod';

/** Of the local server of «SMS Gateway for Android» (capcom6/android-sms-gateway): its OpenAPI description, /docs. */
export interface GatewayOptions {
  url: string;
  username: string;
  password: string;
}

const state = z.enum(['Pending', 'Cancelling', 'Cancelled', 'Processed', 'Sent', 'Delivered', 'Failed']);
const message = z.object({
  id: z.string(),
  state,
  recipients: z.array(z.object({ phoneNumber: z.string(), state, error: z.string().nullish() })),
  createdAt: z.string().optional(),
});
export type GatewayMessage = z.infer<typeof message>;

const received = z.object({
  id: z.string(),
  type: z.string(),
  sender: z.string(),
  simNumber: z.int().nullish(),
  contentPreview: z.string(),
  createdAt: z.string(),
});
export type GatewayInbound = z.infer<typeof received>;

export interface NewGatewayMessage {
  /** At most 36 characters. A second message with the same id is refused with 409. */
  id: string;
  textMessage: { text: string };
  phoneNumbers: [string];
  simNumber?: number | undefined;
  /** Seconds in which the phone may begin to send it. */
  ttl: number;
  withDeliveryReport: boolean;
}

/** An answer that is no success. */
export class GatewayRefusal extends Error {
  readonly status: number;
  constructor(status: number, said: string) {
    super(said || `the phone answered ${status}`);
    this.name = 'GatewayRefusal';
    this.status = status;
  }
}

const TIMEOUT_MS = 10_000;
const MOST_LISTED = 100;

export const openGateway = ({ url, username, password }: GatewayOptions) => {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const said: unknown = await response.json().catch(() => undefined);
    if (response.ok) return said;
    const { data } = z.object({ message: z.string() }).safeParse(said);
    throw new GatewayRefusal(response.status, data?.message.slice(0, 150) ?? '');
  };
  return {
    send: async (one: NewGatewayMessage): Promise<void> => void (await call('POST', '/messages', one)),
    read: async (id: string): Promise<GatewayMessage> => message.parse(await call('GET', `/messages/${id}`)),
    cancel: async (id: string): Promise<GatewayMessage> =>
      message.parse(await call('DELETE', `/messages/${id}`)),
    listSince: async (from: Date): Promise<GatewayMessage[]> => {
      const query = new URLSearchParams({ from: from.toISOString(), limit: String(MOST_LISTED) });
      return z.array(message).parse(await call('GET', `/messages?${query}`));
    },
    inbox: async (from: Date, offset: number): Promise<GatewayInbound[]> => {
      const query = new URLSearchParams({
        type: 'SMS',
        from: from.toISOString(),
        limit: String(MOST_LISTED),
        offset: String(offset),
      });
      return z.array(received).parse(await call('GET', `/inbox?${query}`));
    },
    isReady: async (): Promise<boolean> => {
      const { data } = z.object({ status: z.string() }).safeParse(await call('GET', '/health'));
      return data?.status !== 'fail';
    },
    pageSize: MOST_LISTED,
  };
};
export type Gateway = ReturnType<typeof openGateway>;
