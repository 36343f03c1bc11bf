export { smppLanes } from './lanes.ts';
export { type SmppSettings, smppCarrier } from './smpp-carrier.ts';
export { type SmppOptions, smppOptions } from './smpp-options.ts';
