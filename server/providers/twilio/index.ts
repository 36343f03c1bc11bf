export { type TwilioOptions, twilioCarrier } from './twilio-carrier.ts';
export { twilioWebhooks } from './twilio-webhooks.ts';
