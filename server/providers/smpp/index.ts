export { smppLanes } from './lanes.ts';
export { smppSection } from './settings.ts';
export { smppCarrier } from './smpp-carrier.ts';
export { type SmppOptions, smppOptions } from './smpp-options.ts';
