import type { CallAnswer, OpenLink } from '../../ground/http-client/index.ts';
import type { Carrier, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { refusalOfStatus, type TwilioRefusal, twilioRefusal } from './twilio-errors.ts';
import { answerOf } from './twilio-question.ts';

export interface TwilioOptions {
  accountSid: string;
  /** Also the key of callback signatures. */
  authToken: string;
  /** Instead of the token, for calls. */
  apiKey?: { sid: string; secret: string } | undefined;
  /** A number, a short code or a name of up to 11 characters. */
  from?: string | undefined;
  messagingServiceSid?: string | undefined;
  /** Where Twilio should report; without it no reports are requested. */
  statusCallback?: string | undefined;
  apiBase?: string | undefined;
  /** Calls at the same time. */
  window?: number | undefined;
  openLink: OpenLink;
}

const API_BASE = 'https://api.twilio.com';
const WINDOW = 20;
/**
 * Asks Twilio to retry if it could not reach us or we could not store its report
 * (twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
 */
const COME_AGAIN = '#rc=5&rp=ct,rt,5xx';

const awayOf = (reason: string): TwilioRefusal => ({
  outcome: 'refused',
  code: 'NOT_CONNECTED',
  reason: `Twilio could not be reached: ${reason}`,
  retryable: true,
});

const readJson = (body: string): Record<string, unknown> => {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** What an answer means. Only what was certainly not accepted is refused. */
export const outcomeOf = (answer: CallAnswer): SendOutcome => {
  if (answer.kind === 'not-sent') return awayOf(answer.reason);
  if (answer.kind === 'lost')
    return { outcome: 'unknown', reason: `Twilio did not answer: ${answer.reason}` };
  const { status } = answer;
  const { sid, code } = readJson(answer.body);
  if (status >= 200 && status < 300)
    return typeof sid === 'string' && sid !== ''
      ? { outcome: 'accepted', providerMessageId: sid }
      : { outcome: 'unknown', reason: `Twilio answered ${status}, but with no id.` };
  if (status >= 500 || status === 408)
    return { outcome: 'unknown', reason: `Twilio answered ${status}: it may have taken the message.` };
  return typeof code === 'number' ? twilioRefusal(code, status) : refusalOfStatus(status);
};

/** The requested sender, otherwise that of the settings. A messaging service may choose among its own. */
const senderOf = (
  { from, messagingServiceSid }: Pick<TwilioOptions, 'from' | 'messagingServiceSid'>,
  wanted: string | undefined,
): Record<string, string> => ({
  ...(messagingServiceSid && { MessagingServiceSid: messagingServiceSid }),
  ...(wanted ? { From: wanted } : from && !messagingServiceSid && { From: from }),
});

/** Twilio's Messages resource (twilio.com/docs/messaging/api/message-resource), behind the port of a carrier. */
export const twilioCarrier = (options: TwilioOptions): Carrier => {
  const { accountSid, authToken, apiKey, statusCallback, apiBase = API_BASE, window = WINDOW } = options;
  const link = options.openLink({ url: apiBase });
  const url = `${apiBase}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const user = apiKey ? `${apiKey.sid}:${apiKey.secret}` : `${accountSid}:${authToken}`;
  const headers = {
    authorization: `Basic ${Buffer.from(user).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };

  const compose = ({ id, recipient, from, text }: Outgoing): string =>
    new URLSearchParams({
      To: recipient,
      ...senderOf(options, from),
      Body: text,
      // Our id comes back with the callback: it identifies a message whose answer was lost.
      ...(statusCallback && { StatusCallback: `${statusCallback}?id=${id}${COME_AGAIN}` }),
    }).toString();

  return {
    provider: 'twilio',
    channel: 'sms',
    simulated: false,
    window,
    open: ({ state }) => link.open(state),
    isUp: link.isUp,
    send: async (message) => {
      const said = outcomeOf(await link.call({ method: 'POST', url, headers, body: compose(message) }));
      // If the settings name the sender, the message is not at fault: another lane may take it.
      return said.outcome === 'refused' && said.code === 'INVALID_SENDER' && !message.from
        ? { ...said, retryable: true }
        : said;
    },
    ask: async (question) => {
      const asked = new URLSearchParams({ To: question.recipient, PageSize: '50' });
      const answer = await link.call({ method: 'GET', url: `${url}?${asked}`, headers });
      return answerOf(question, answer);
    },
    close: link.close,
  };
};
