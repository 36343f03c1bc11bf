export { httpReceivers } from './http-receivers.ts';
export { publicFiles } from './public-files.ts';
