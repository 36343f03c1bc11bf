export { type HttpReceiversOptions, httpReceivers } from './http-receivers.ts';
