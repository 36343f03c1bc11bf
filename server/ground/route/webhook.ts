import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '../log/index.ts';

/** A call of a provider as it came: signatures are made over just this. */
export interface WebhookCall {
  method: 'GET' | 'POST';
  /** Path and query as they were called. */
  url: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The bytes of the body; none for GET. */
  body: Buffer;
}
/** What the provider's own protocol asks for, its status too. */
export interface WebhookAnswer {
  status: number;
  /** The content type; plain text unless given. */
  type?: string;
  body?: string;
}
interface WebhookRoute {
  /** In the API's document; a route without it is left out there. */
  summary?: string;
  /** 1 MiB unless given. */
  maxBytes?: number;
  /** Checks who calls, by a signature or a secret. */
  answer: (call: WebhookCall & { log: Pick<Log, 'warn'> }) => Promise<WebhookAnswer>;
}
/** By `METHOD /path`, below /api. */
export type Webhooks = Record<string, WebhookRoute>;
