export { httpReceivers } from './http-receivers.ts';
