import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../contract/ground/constants.ts';
import type { AuditChange } from '../../ground/route/index.ts';
import { languageOf } from '../../ground/translations/index.ts';
import { hangUpOf, requestAddress } from '../defence/request-origin.ts';

/**
 * The input of a handler. Handlers that send are called often and need little of it, so the rest is computed on demand.
 * The getters belong to the class: one in an object literal gives each object its own shape, which keeps the whole
 * request alive until the next full garbage collection.
 */
export class CallInput {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get params() {
    return this.#request.params;
  }
  get query() {
    return this.#request.query;
  }
  get body() {
    return this.#request.body;
  }
  get headers() {
    return this.#request.headers;
  }
  get caller() {
    return this.#request.caller;
  }
  get sender() {
    return this.#request.sender;
  }
  get language(): Language {
    return languageOf(this.#request.headers['accept-language']);
  }
  get address(): string {
    return requestAddress(this.#request);
  }
  get header() {
    return (name: string, value: string) => this.#reply.header(name, value);
  }
  get changed() {
    return (change: AuditChange): void => {
      this.#request.change = change;
    };
  }
  get entryId() {
    return this.#request.entryId;
  }
  get hungUp(): AbortSignal {
    return hangUpOf(this.#reply);
  }
}
