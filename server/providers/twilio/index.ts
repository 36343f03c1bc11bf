export { twilioLanes, twilioLaneWebhooks } from './lanes.ts';
export { twilioSection } from './settings.ts';
export { type TwilioOptions, twilioCarrier } from './twilio-carrier.ts';
export { twilioWebhooks } from './twilio-webhooks.ts';
