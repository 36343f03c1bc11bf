import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listenOn } from '../listen-on.ts';
import { cardProviderApi } from './card-provider-api.ts';
import type { Verdict } from './card-provider-bank.ts';
import { newId, type PaymentIntent } from './card-provider-objects.ts';
import { type Form, ProviderError, readForm } from './card-provider-request.ts';
import type { TypedCard } from './card-provider-setups.ts';
import { webhookSender } from './card-provider-webhooks.ts';

export type { Verdict } from './card-provider-bank.ts';
export type { ProviderEvent } from './card-provider-webhooks.ts';

/** Faults of a request, apart from what the provider refuses. */
export type Fault =
  /** Carried out, and then the connection closes without an answer. */
  | { kind: 'lose-reply' }
  /** Carried out, and then the connection ends in the middle of the answer. */
  | { kind: 'cut-reply' }
  /** Carried out immediately, answered late. */
  | { kind: 'delay-reply'; ms: number }
  /** Carried out late, whether or not anybody still waits. */
  | { kind: 'delay-request'; ms: number }
  /** Never carried out: the connection ends. */
  | { kind: 'drop' }
  /** Never carried out: an error of the provider's own, or a limit. */
  | { kind: 'error'; status: 429 | 500 | 503 };

interface SeenRequest {
  method: string;
  path: string;
  form: Form;
  headers: IncomingMessage['headers'];
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

interface Kept {
  fingerprint: string;
  /** Undefined while the first request with this key is running. */
  answer: Answer | undefined;
}

const CARD: Omit<TypedCard, 'number'> = {
  expMonth: 12,
  expYear: new Date().getFullYear() + 4,
  cvc: '123',
};

const SCRIPT = new URL('./card-provider-script.js', import.meta.url);
/** The script's address: /v3/, /v3/stripe.js or /<release>/stripe.js. */
const SCRIPT_PATH = /^\/(v3\/?|[a-z0-9]+\/stripe\.js)$/;
const MAX_KEY_LENGTH = 255;

const json = (status: number, body: object, headers?: Record<string, string>): Answer => ({
  status,
  body: JSON.stringify(body, undefined, 2),
  headers,
});

const refused = ({ status, error }: ProviderError): Answer => json(status, { error });

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const keyOf = ({ headers }: IncomingMessage, form: Form): string => {
  const authorization = headers.authorization ?? '';
  if (authorization.startsWith('Bearer ')) return authorization.slice(7);
  if (authorization.startsWith('Basic '))
    return Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')[0] ?? '';
  return typeof form.key === 'string' ? form.key : '';
};

interface CardProviderOptions {
  secretKey?: string;
  publishableKey?: string;
  webhookSecret?: string;
  port?: number;
}

/** An HTTP server that answers like Stripe's API, with a bank behind it that does what the test says. */
export const startCardProvider = async ({
  secretKey = 'sk_live_emulated',
  publishableKey = 'pk_live_emulated',
  webhookSecret = 'whsec_emulated',
  port = 0,
}: CardProviderOptions = {}) => {
  const webhooks = webhookSender(webhookSecret);
  const api = cardProviderApi(webhooks.emit);
  const keys = new Map<string, Kept>();
  const seen: SeenRequest[] = [];
  const planned: { fault: Fault; method: string | undefined; path: RegExp | undefined }[] = [];
  let faultOf: (request: SeenRequest) => Fault | undefined = () => undefined;

  const takeFault = (request: SeenRequest): Fault | undefined => {
    const at = planned.findIndex(
      ({ method, path }) =>
        (method === undefined || method === request.method) && (path?.test(request.path) ?? true),
    );
    return at < 0 ? faultOf(request) : planned.splice(at, 1)[0]?.fault;
  };

  const requireKey = (request: IncomingMessage, form: Form): boolean => {
    const key = keyOf(request, form);
    if (key === secretKey) return true;
    if (key === publishableKey) return false;
    throw new ProviderError(401, {
      message:
        key === ''
          ? 'You did not provide an API key.'
          : `Invalid API Key provided: ${key.slice(0, 7)}********${key.slice(-4)}`,
    });
  };

  const carryOut = (run: () => object): Answer => {
    try {
      return json(200, run());
    } catch (error) {
      if (error instanceof ProviderError) return refused(error);
      throw error;
    }
  };

  /** https://docs.stripe.com/api/idempotent_requests: the first answer is stored, success or error. */
  const carryOutOnce = async (
    key: string,
    fingerprint: string,
    run: () => object,
    before: () => Promise<void>,
  ): Promise<Answer> => {
    const kept = keys.get(key);
    if (kept && kept.fingerprint !== fingerprint)
      return refused(
        new ProviderError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        }),
      );
    if (kept?.answer) return { ...kept.answer, headers: { 'idempotent-replayed': 'true' } };
    if (kept)
      return refused(
        new ProviderError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this Idempotent Key.',
        }),
      );
    const mine: Kept = { fingerprint, answer: undefined };
    keys.set(key, mine);
    await before();
    mine.answer = carryOut(run);
    return mine.answer;
  };

  const answer = async (request: IncomingMessage, call: SeenRequest, fault?: Fault): Promise<Answer> => {
    if (fault?.kind === 'error')
      return json(fault.status, {
        error:
          fault.status === 429
            ? { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' }
            : { type: 'api_error', message: 'An unknown error occurred' },
      });
    const before = () => (fault?.kind === 'delay-request' ? wait(fault.ms) : Promise.resolve());
    try {
      const run = api.prepare({ ...call, secretKey: requireKey(request, call.form) });
      const key = request.headers['idempotency-key'];
      if (call.method !== 'POST' || typeof key !== 'string') {
        await before();
        return carryOut(run);
      }
      if (key.length > MAX_KEY_LENGTH)
        throw new ProviderError(400, { message: 'Idempotency keys can be up to 255 characters long.' });
      return await carryOutOnce(key, JSON.stringify([call.method, call.path, call.form]), run, before);
    } catch (error) {
      if (error instanceof ProviderError) return refused(error);
      throw error;
    }
  };

  const send = async (response: ServerResponse, { status, body, headers }: Answer, fault?: Fault) => {
    if (fault?.kind === 'lose-reply' || fault?.kind === 'drop') return response.destroy();
    if (fault?.kind === 'delay-reply') await wait(fault.ms);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'request-id': newId('req', 14),
      ...headers,
    });
    if (fault?.kind !== 'cut-reply') return response.end(body);
    response.write(body.slice(0, body.length / 2), () => response.destroy());
    return response;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider.invalid');
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'GET' && SCRIPT_PATH.test(url.pathname)) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8');
      response.end(readFileSync(SCRIPT));
      return;
    }
    const body = await bodyOf(request).catch(() => undefined);
    // The client has left already.
    if (body === undefined) return;
    try {
      const text = request.method === 'POST' ? body : url.search.slice(1);
      const call: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname,
        form: readForm(text),
        headers: request.headers,
      };
      seen.push(call);
      const fault = takeFault(call);
      await send(
        response,
        fault?.kind === 'drop' ? json(200, {}) : await answer(request, call, fault),
        fault,
      );
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await send(response, refused(error));
    }
  });
  // A browser's next request must not meet a connection that is being closed as idle.
  server.keepAliveTimeout = 600_000;
  await listenOn(server, port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const intentOf = (id: string): PaymentIntent => {
    const intent = api.books.intents.get(id);
    if (!intent) throw new Error(`no ${id}`);
    return intent;
  };

  return {
    /** For STRIPE_API_BASE, and where js.stripe.com and api.stripe.com are routed to in a browser. */
    url,
    secretKey,
    publishableKey,
    webhookSecret,
    webhooks,
    books: api.books,
    /** Every request so far, in order. */
    seen,

    /** The next requests that match fail in this way. */
    plan: (fault: Fault, on: { times?: number; method?: string; path?: RegExp } = {}): void => {
      for (let count = 0; count < (on.times ?? 1); count += 1)
        planned.push({ fault, method: on.method, path: on.path });
    },
    /** Removes the plans that no request matched. */
    calm: (): void => {
      planned.length = 0;
    },
    /** Decides for every request that no plan matches. */
    failBy: (decide: (request: SeenRequest) => Fault | undefined): void => {
      faultOf = decide;
    },

    /** What the form in the page does: returns the id of the confirmed setup intent, or throws the refusal. */
    confirmSetup: (clientSecret: string, number: string, rest: Partial<TypedCard> = {}): string => {
      const setup = [...api.books.setups.values()].find((one) => one.client_secret === clientSecret);
      if (!setup) throw new Error('no such client secret');
      const confirmed = api.setups.confirmSetup(setup, { ...CARD, number, ...rest });
      if (confirmed.status === 'requires_action') api.setups.authenticateSetup(confirmed, true);
      return setup.id;
    },
    /** What the card holder answers in the bank's dialog. */
    authenticate: (intentId: string, approve: boolean): void => {
      api.intents.authenticate(intentOf(intentId), approve);
    },
    /** How the bank answers from now on when this card is charged. */
    decide: (methodId: string, verdict: Verdict): void => {
      api.books.verdicts.set(methodId, verdict);
    },
    /** Ends a payment that is processing. */
    settle: (intentId: string, outcome: 'succeed' | 'fail'): void => {
      const intent = intentOf(intentId);
      if (outcome === 'succeed') api.intents.succeed(intent);
      else
        api.intents.fail(intent, {
          type: 'card_error',
          code: 'payment_intent_payment_attempt_failed',
          message: 'The payment failed.',
        });
    },
    dispute: (intentId: string, amount?: number): string =>
      api.refunds.dispute(intentOf(intentId), amount).id,
    closeDispute: (disputeId: string, outcome: 'won' | 'lost'): void => {
      const dispute = api.books.disputes.get(disputeId);
      if (!dispute) throw new Error(`no ${disputeId}`);
      api.refunds.closeDispute(dispute, outcome);
    },
    /** Every charge that took money, by the payment it names. */
    taken: (): { paymentId: string | undefined; amount: number; currency: string; intentId: string }[] =>
      [...api.books.charges.values()]
        .filter(({ paid }) => paid)
        .map(({ metadata, amount, currency, payment_intent }) => ({
          paymentId: metadata.paymentId,
          amount,
          currency,
          intentId: payment_intent,
        })),

    close: async (): Promise<void> => {
      await webhooks.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
export type CardProvider = Awaited<ReturnType<typeof startCardProvider>>;
