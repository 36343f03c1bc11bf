import type { SendOutcome } from '../../traffic/lanes/index.ts';

/** What an error is about: this message, our number or its account as a whole, or how fast we go. */
type Concern = 'message' | 'number' | 'pace';

interface Meaning {
  /** Ours; what the customer sees beside a failed message. */
  code: string;
  reason: string;
  retryable: boolean;
  concern: Concern;
}

const forGood = (code: string, reason: string): Meaning => ({
  code,
  reason,
  retryable: false,
  concern: 'message',
});
const forNow = (code: string, reason: string, concern: Concern = 'message'): Meaning => ({
  code,
  reason,
  retryable: true,
  concern,
});
/** Nothing is wrong with the message: it waits until our own number is in order again. */
const ofNumber = (reason: string): Meaning => forNow('E_WHATSAPP_NUMBER', reason, 'number');

const NO_SESSION = 'E_NO_SESSION';
const TEMPLATE = 'E_TEMPLATE';
const MEDIA = 'E_MEDIA';
const RECIPIENT = 'E_RECIPIENT';

/** The codes of the Cloud API's page 'Error codes' that sending, or the report on it, may bring. */
export const GRAPH_ERRORS: Readonly<Record<number, Meaning>> = {
  0: ofNumber('WhatsApp does not accept the access token.'),
  3: ofNumber('The access token lacks a capability.'),
  10: ofNumber('The access token lacks a permission.'),
  190: ofNumber('The access token has expired.'),
  33: ofNumber('The sending number does not exist any more.'),
  368: ofNumber('The WhatsApp account is blocked for a time because of its content.'),
  131005: ofNumber('WhatsApp denies access to the sending number.'),
  131031: ofNumber('The WhatsApp account is locked.'),
  131042: ofNumber("The WhatsApp account's payment is not in order."),
  131045: ofNumber('The sending number is not registered correctly.'),
  133010: ofNumber('The sending number is not registered.'),
  4: forNow('E_RATE_LIMITED', 'The app makes too many calls just now.', 'pace'),
  80007: forNow('E_RATE_LIMITED', 'The WhatsApp account has reached its rate limit.', 'pace'),
  130429: forNow('E_RATE_LIMITED', 'The sending number has reached its messages a second.', 'pace'),
  131048: forNow('E_SPAM_LIMITED', 'WhatsApp limits the sending number, as many have blocked it.', 'pace'),
  131056: forNow('E_RATE_LIMITED', 'Too many messages went to this recipient in a short time.'),
  131000: forNow('E_CARRIER_TROUBLE', 'WhatsApp could not send it, without saying why.'),
  131016: forNow('E_CARRIER_TROUBLE', 'A service of WhatsApp is away for now.'),
  131057: forNow('E_CARRIER_TROUBLE', 'The WhatsApp account is being maintained.'),
  133004: forNow('E_CARRIER_TROUBLE', "WhatsApp's server is away for now."),
  100: forGood('E_REFUSED', 'WhatsApp does not take a parameter of the request.'),
  131008: forGood('E_REFUSED', 'WhatsApp misses a parameter of the request.'),
  131009: forGood('E_REFUSED', 'WhatsApp does not take the value of a parameter.'),
  131051: forGood('E_REFUSED', 'WhatsApp does not know this type of message.'),
  130472: forGood('E_NOT_DELIVERED', 'WhatsApp withheld it, as the recipient is part of an experiment.'),
  131049: forGood('E_NOT_DELIVERED', 'WhatsApp withheld it, to keep the number of marketing messages low.'),
  131021: forGood(RECIPIENT, 'The recipient is the sender.'),
  131026: forGood(RECIPIENT, 'The recipient can not get it: not on WhatsApp, or an old version of it.'),
  131030: forGood(RECIPIENT, 'The recipient is not in the list of allowed numbers of the test number.'),
  130497: forGood(RECIPIENT, "WhatsApp does not let this account write to the recipient's country."),
  131037: forGood('E_REFUSED', 'The sending number has no approved display name yet.'),
  131050: forGood('E_OPTED_OUT', 'The recipient has stopped marketing messages of this business.'),
  131047: forGood(NO_SESSION, 'The customer has not written for more than 24 hours: only a template may go.'),
  131052: forGood(MEDIA, 'WhatsApp could not download the media.'),
  131053: forGood(MEDIA, 'WhatsApp could not take the media: its type or size is not supported.'),
  132000: forGood(TEMPLATE, 'The number of parameters is not that of the template.'),
  132001: forGood(TEMPLATE, 'There is no approved template of this name in this language.'),
  132005: forGood(TEMPLATE, 'The template is too long with these parameters.'),
  132007: forGood(TEMPLATE, "The template's content breaks a policy of WhatsApp."),
  132012: forGood(TEMPLATE, 'A parameter does not have the form that the template asks for.'),
  132015: forGood(TEMPLATE, 'The template is paused because of low quality.'),
  132016: forGood(TEMPLATE, 'The template is disabled for good because of low quality.'),
  132018: forGood(TEMPLATE, "The template's parameters are not valid."),
  132068: forGood(TEMPLATE, 'The flow of the template is blocked.'),
  132069: forGood(TEMPLATE, 'The flow of the template is throttled.'),
};

/** 200 to 299 are all about permissions. */
const meaningOf = (code: number): Meaning | undefined =>
  GRAPH_ERRORS[code] ?? (code >= 200 && code <= 299 ? GRAPH_ERRORS[10] : undefined);

interface Refused {
  outcome: SendOutcome & { outcome: 'refused' | 'unknown' };
  concern: Concern;
}

interface GraphError {
  code?: unknown;
  error_data?: { details?: unknown };
}

export const errorIn = (body: unknown): GraphError | undefined => {
  const error = (body as { error?: unknown } | undefined | null)?.error;
  return typeof error === 'object' && error !== null ? error : undefined;
};

/**
 * What an answer that is no success means. An error that Meta names says that nothing was sent. Without a name, or
 * as 'unknown' or 'service', a 5xx comes from somewhere on the way: it may have been sent.
 */
export const graphRefusal = ({ status, body }: { status: number; body: unknown }): Refused => {
  const code = Number(errorIn(body)?.code ?? Number.NaN);
  const meaning = meaningOf(code);
  if (meaning)
    return {
      outcome: {
        outcome: 'refused',
        code: meaning.code,
        reason: `${meaning.reason} (${code})`,
        retryable: meaning.retryable,
      },
      concern: meaning.concern,
    };
  const named = Number.isNaN(code) ? `HTTP ${status}` : `error ${code}, HTTP ${status}`;
  if (status === 429)
    return {
      outcome: {
        outcome: 'refused',
        code: 'E_RATE_LIMITED',
        reason: `Too many requests (${named}).`,
        retryable: true,
      },
      concern: 'pace',
    };
  if (status === 401 || status === 403)
    return {
      outcome: {
        outcome: 'refused',
        code: 'E_WHATSAPP_NUMBER',
        reason: `WhatsApp denies access (${named}).`,
        retryable: true,
      },
      concern: 'number',
    };
  if (status >= 400 && status < 500)
    return {
      outcome: {
        outcome: 'refused',
        code: 'E_REFUSED',
        reason: `WhatsApp refused it (${named}).`,
        retryable: false,
      },
      concern: 'message',
    };
  return {
    outcome: {
      outcome: 'unknown',
      reason: `WhatsApp answered without saying whether it was sent (${named}).`,
    },
    concern: 'message',
  };
};

/** The code of a report that a message failed: ours where we know it, with Meta's number beside it. */
export const reportCode = (code: unknown): string => {
  const meaning = meaningOf(Number(code));
  if (!meaning) return code === undefined ? 'E_NOT_DELIVERED' : `E_NOT_DELIVERED:${Number(code)}`;
  return meaning.code === NO_SESSION ? NO_SESSION : `${meaning.code}:${Number(code)}`;
};
