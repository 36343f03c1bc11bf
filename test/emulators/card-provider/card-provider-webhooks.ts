import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { newId, nowSeconds, type ProviderObject } from './card-provider-objects.ts';

export interface ProviderEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: ProviderObject };
  livemode: true;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

interface SigningOptions {
  /** Another secret than the endpoint's own. */
  secret?: string;
  /** In seconds since 1970; now unless given. */
  signedAt?: number;
}

const API_VERSION = '2026-10-28.endive';
/** The provider repeats over three days; here it gives up sooner. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** The provider's own report of what happened: stored, and sent if somebody listens. */
export const webhookSender = (secret: string) => {
  const events: ProviderEvent[] = [];
  const underWay = new Set<Promise<void>>();
  let listener: string | undefined;
  let closed = false;

  /** The body and headers as they are sent: https://docs.stripe.com/webhooks/signature. */
  const sign = (event: ProviderEvent, options: SigningOptions = {}) => {
    const body = JSON.stringify(event, undefined, 2);
    const at = options.signedAt ?? nowSeconds();
    const signature = createHmac('sha256', options.secret ?? secret)
      .update(`${at}.${body}`)
      .digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
  };

  const post = async (url: string, event: ProviderEvent, options?: SigningOptions): Promise<number> => {
    const { body, headers } = sign(event, options);
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await reply.arrayBuffer();
    return reply.status;
  };

  const sendUntilTaken = async (url: string, event: ProviderEvent): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS && !closed; attempt += 1) {
      const status = await post(url, event).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await wait(PAUSE_MS);
    }
  };

  return {
    events,
    sign,
    emit: (type: string, object: ProviderObject): void => {
      const event: ProviderEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: nowSeconds(),
        // The object at this moment: later changes are other events.
        data: { object: structuredClone(object) },
        livemode: true,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      events.push(event);
      if (listener === undefined) return;
      const sending = sendUntilTaken(listener, event).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** From now on every event is sent there, repeatedly until it is accepted; undefined: nowhere. */
    sendTo: (url: string | undefined): void => {
      listener = url;
    },
    /** Sends one event as often as wanted, all concurrently; returns the statuses. */
    deliver: (
      url: string,
      event: ProviderEvent,
      { times = 1, ...options }: SigningOptions & { times?: number } = {},
    ): Promise<number[]> => Promise.all(Array.from({ length: times }, () => post(url, event, options))),
    /** Resolves when nothing is in flight. */
    sent: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async (): Promise<void> => {
      closed = true;
      await Promise.all(underWay);
    },
  };
};
