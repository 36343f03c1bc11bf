export type { CallAnswer, CallFailure, HttpCall } from './http-call.ts';
export {
  type Download,
  type HttpClient,
  type HttpClientOptions,
  type OpenHttpClient,
  openHttpClient,
} from './http-client.ts';
export { type Link, type LinkOptions, type OpenLink, openLink } from './link.ts';
