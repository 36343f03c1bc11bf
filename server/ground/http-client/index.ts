export type { CallAnswer, HttpCall } from './http-call.ts';
export { type Download, type OpenHttpClient, openHttpClient } from './http-client.ts';
export { type OpenLink, openLink } from './link.ts';
