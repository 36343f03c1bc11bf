export { relayLanes } from './lanes.ts';
export { type RelayOptions, relayOptions } from './relay-options.ts';
export { relaySection } from './settings.ts';
export { type SmtpRelaySettings, smtpRelay } from './smtp-relay.ts';
