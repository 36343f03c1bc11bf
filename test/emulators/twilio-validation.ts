export interface TwilioAccount {
  sid: string;
  token: string;
  keys: { sid: string; secret: string }[];
  /** Numbers of the account. */
  numbers: string[];
  messagingServices: string[];
}

export interface Fault {
  status: number;
  code: number;
  message: string;
}

interface Asked {
  method: string;
  path: string;
  authorization: string | undefined;
  fields: URLSearchParams;
}

const fault = (code: number, message: string, status = 400): Fault => ({ status, code, message });

const E164 = /^\+[1-9]\d{6,14}$/;
const SHORT_CODE = /^\d{3,8}$/;
/** 1 to 11 characters, not digits alone (twilio.com/docs/glossary/what-alphanumeric-sender-id). */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 +\-_&]{1,11}$/;
const MOST_CHARACTERS = 1_600;

/** twilio.com/docs/iam/test-credentials: how these numbers are answered. */
const MAGIC_RECIPIENTS: Record<string, Fault> = {
  '+15005550001': fault(21211, "The 'To' number +15005550001 is not a valid phone number."),
  '+15005550002': fault(21612, "The 'To' number cannot be reached from the 'From' number."),
  '+15005550003': fault(21408, 'Permission to send an SMS has not been enabled for the region.'),
  '+15005550004': fault(21610, 'Attempt to send to unsubscribed recipient'),
  '+15005550009': fault(21614, "'To' number is not a valid mobile number"),
};
const MAGIC_SENDERS: Record<string, Fault> = {
  '+15005550001': fault(21212, "The 'From' number +15005550001 is not a valid phone number."),
  '+15005550007': fault(21606, "The 'From' phone number is not a valid, SMS-capable inbound phone number."),
  '+15005550008': fault(21611, "This 'From' number has exceeded the maximum number of queued messages", 429),
};

const isAllowed = (account: TwilioAccount, authorization: string | undefined): boolean => {
  const [, encoded = ''] = /^Basic (\S+)$/.exec(authorization ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return [{ sid: account.sid, secret: account.token }, ...account.keys].some(
    ({ sid, secret }) => given === `${sid}:${secret}`,
  );
};

const senderFault = (account: TwilioAccount, fields: URLSearchParams): Fault | undefined => {
  const [from, service] = [fields.get('From'), fields.get('MessagingServiceSid')];
  if (!from && !service) return fault(21603, "A 'From' phone number is required.");
  if (service && !account.messagingServices.includes(service))
    return fault(20404, `The requested resource /Services/${service} was not found`, 404);
  if (!from) return undefined;
  if (MAGIC_SENDERS[from]) return MAGIC_SENDERS[from];
  if (E164.test(from) || SHORT_CODE.test(from))
    return account.numbers.includes(from)
      ? undefined
      : fault(21660, 'Mismatch between the From number and account');
  return NAME.test(from) ? undefined : fault(21212, `The 'From' number ${from} is not a valid phone number.`);
};

const isAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !new URL(text).hostname.includes('_');

/** What the documentation of the resource refuses, in the order of Twilio's checks. */
export const faultOf = (
  account: TwilioAccount,
  { method, path, authorization, fields }: Asked,
): Fault | undefined => {
  if (!isAllowed(account, authorization)) return fault(20003, 'Authenticate', 401);
  if (path !== `/2010-04-01/Accounts/${account.sid}/Messages.json`)
    return fault(20404, `The requested resource ${path} was not found`, 404);
  if (method === 'GET') return undefined;
  if (method !== 'POST') return fault(20004, 'Method not allowed', 405);
  const [to, body, callback] = [fields.get('To'), fields.get('Body'), fields.get('StatusCallback')];
  if (!to) return fault(21604, "A 'To' phone number is required.");
  const sender = senderFault(account, fields);
  if (sender) return sender;
  if (!body) return fault(21602, 'Message body is required.');
  if (body.length > MOST_CHARACTERS)
    return fault(21617, 'The concatenated message body exceeds the 1600 character limit');
  if (callback && !isAddress(callback)) return fault(21609, 'The StatusCallback URL is not a valid URL.');
  if (!E164.test(to)) return fault(21211, `The 'To' number ${to} is not a valid phone number.`);
  return MAGIC_RECIPIENTS[to];
};
