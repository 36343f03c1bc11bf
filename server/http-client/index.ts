export {
  type CallAnswer,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
  openHttpClient,
} from './http-client.ts';
export { type Link, type LinkOptions, type OpenLink, openLink } from './link.ts';
