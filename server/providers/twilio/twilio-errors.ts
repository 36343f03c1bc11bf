import type { SendOutcome } from '../../traffic/lanes/index.ts';

export type TwilioRefusal = SendOutcome & { outcome: 'refused' };

/**
 * Twilio's error dictionary (twilio.com/docs/api/errors): what can happen to a message, immediately or later in a
 * status callback. 'elsewhere' says that this account is at fault and not the message, so that another lane, or this
 * one later, may take it.
 */
const ERRORS: Record<number, readonly [code: string, reason: string, when?: 'elsewhere']> = {
  20003: ['CREDENTIALS_REFUSED', 'Twilio refuses the credentials.', 'elsewhere'],
  20005: ['ACCOUNT_INACTIVE', 'The Twilio account is not active.', 'elsewhere'],
  20403: ['FORBIDDEN', 'Twilio forbids this call.', 'elsewhere'],
  20404: ['NOT_FOUND', 'Twilio does not know the account or messaging service.', 'elsewhere'],
  20429: ['RATE_LIMITED', 'Twilio takes no more calls just now.', 'elsewhere'],
  14107: ['RATE_LIMITED', 'Twilio takes no more messages just now.', 'elsewhere'],
  21211: ['INVALID_RECIPIENT', 'The number is not valid.'],
  21212: ['INVALID_SENDER', 'The sender is not valid.'],
  21264: ['INVALID_SENDER', 'The sender is not valid.'],
  21265: ['INVALID_RECIPIENT', 'Messages to short codes are not possible.'],
  21266: ['INVALID_RECIPIENT', 'The recipient is the sender.'],
  21408: ['REGION_DISABLED', 'The Twilio account may not send to this country.', 'elsewhere'],
  21601: ['INVALID_SENDER', 'The sender can not send messages.'],
  21602: ['EMPTY_TEXT', 'The message has no text.'],
  21603: ['INVALID_SENDER', 'The sender is missing.'],
  21604: ['INVALID_RECIPIENT', 'The recipient is missing.'],
  21606: ['INVALID_SENDER', 'The sender does not belong to the Twilio account.'],
  21608: ['TRIAL_ACCOUNT', 'A trial account sends to verified numbers only.', 'elsewhere'],
  21609: ['INVALID_CALLBACK', 'Twilio refuses the address of the callback.', 'elsewhere'],
  21610: ['OPTED_OUT', 'The recipient has opted out.'],
  21611: ['QUEUE_FULL', 'The queue of the sender is full.', 'elsewhere'],
  21612: ['NOT_ROUTABLE', 'Twilio can not reach this number from this sender.', 'elsewhere'],
  21614: ['NOT_A_MOBILE', 'The number is not a mobile number.'],
  21617: ['TEXT_TOO_LONG', 'The text has more than 1600 characters.'],
  21635: ['NOT_A_MOBILE', 'The number is a landline.'],
  21659: ['INVALID_SENDER', 'The sender is not a number of Twilio.'],
  21660: ['INVALID_SENDER', 'The sender does not belong to the Twilio account.'],
  21661: ['INVALID_SENDER', 'The sender can not send SMS.'],
  21703: ['NO_SENDER', 'The messaging service has no sender.', 'elsewhere'],
  21704: ['NO_SENDER', 'The messaging service has no sender.', 'elsewhere'],
  21705: ['NO_SENDER', 'The messaging service is not valid.', 'elsewhere'],
  30001: ['QUEUE_FULL', 'The queue of the sender was full.', 'elsewhere'],
  30002: ['ACCOUNT_INACTIVE', 'The Twilio account was suspended.', 'elsewhere'],
  30003: ['UNREACHABLE', 'The phone is off or out of reach.'],
  30004: ['BLOCKED', 'The recipient blocks messages.'],
  30005: ['UNKNOWN_RECIPIENT', 'The number is unknown or no longer in use.'],
  30006: ['NOT_A_MOBILE', 'The number is a landline, or its network can not be reached.'],
  30007: ['FILTERED', 'The message was filtered out as unwanted.'],
  30008: ['NOT_DELIVERED', 'The network gave no reason.'],
  30010: ['TOO_DEAR', 'The message costs more than the highest price that was set.'],
  30034: ['SENDER_UNREGISTERED', 'The sender is not registered with the networks.', 'elsewhere'],
  30036: ['EXPIRED', 'The message was too old to be sent.'],
};

/** Our code for an error of Twilio; its own number where we have none. */
export const codeOf = (twilioCode: number): string => ERRORS[twilioCode]?.[0] ?? `TWILIO_${twilioCode}`;

export const twilioRefusal = (twilioCode: number, status: number): TwilioRefusal => {
  const [code, reason, when] = ERRORS[twilioCode] ?? [
    `TWILIO_${twilioCode}`,
    'Twilio refuses the message.',
    status === 401 || status === 403 || status === 429 ? 'elsewhere' : undefined,
  ];
  return {
    outcome: 'refused',
    code,
    reason: `${reason} (Twilio ${twilioCode})`,
    retryable: when === 'elsewhere',
  };
};

/** Answers of something between us and Twilio: a proxy, or a wrong address. */
export const refusalOfStatus = (status: number): TwilioRefusal => ({
  outcome: 'refused',
  code: `HTTP_${status}`,
  reason: `Twilio's address answered ${status}, and not as Twilio does.`,
  retryable: true,
});
