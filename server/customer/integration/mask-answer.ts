import { replaceAddresses } from '../../ground/log/index.ts';

/** ASCII, so that strings stay in V8's fast one-byte form. */
const HIDDEN = '***';

/** Enough to recognise it, not enough to write to it. */
const maskNumber = (number: string): string => {
  const digits = number.replace(/[^\d+]/g, '');
  return digits.length < 7 ? HIDDEN : `${digits.slice(0, 4)}${HIDDEN}${digits.slice(-2)}`;
};

const maskAddress = (address: string): string => {
  const [first = ''] = address;
  return `${first}${HIDDEN}${address.slice(address.lastIndexOf('@'))}`;
};

const maskRecipient = (text: string): string => (text.includes('@') ? maskAddress(text) : maskNumber(text));

/** Addresses and numbers in our own sentences, such as a refusal. */
const maskWithin = (text: string): string =>
  replaceAddresses(text, maskAddress).replace(/\+?\d[\d -]{5,}\d/g, maskNumber);

/** The fields of our answers that hold a recipient; a test checks that none is missing. */
const RECIPIENTS = [
  'phone',
  'phoneNumber',
  'fromPhone',
  'fromPhoneNumber',
  'recipient',
  'email',
  'to',
  'from',
];
/** The fields that hold message texts. */
const CONTENTS = ['message', 'text', 'subject', 'html', 'body', 'quotedMessage'];
const contents = new Set(CONTENTS);

/** Such a key and its text. */
const FIELD = new RegExp(`"(${[...RECIPIENTS, ...CONTENTS].join('|')})":"((?:[^"\\\\]|\\\\.)*)"`, 'g');
/** An error, or a bare sentence: its message is our own text. */
const OURS = /^\{("code":"E_\w+",)?"message":"(?:[^"\\]|\\.)*"(,"requestId":"[\w-]*")?\}$/;

/** Within JSON: a piece of what is escaped would be no JSON any more, so it is read first. */
const within = (value: string, mask: (text: string) => string): string =>
  value.includes('\\') ? JSON.stringify(mask(JSON.parse(`"${value}"`))) : `"${mask(value)}"`;

/**
 * The answer as it may be stored: recipients so that their owner recognises them, texts not at all. It works on the
 * JSON text, because parsing thousands of answers a second costs more. A quote within a value is escaped there, so that
 * no value can pass for a key.
 */
export const maskAnswer = (json: string): string => {
  const maskContent = OURS.test(json) ? maskWithin : () => HIDDEN;
  return json.replace(
    FIELD,
    (_, key: string, value: string) =>
      `"${key}":${within(value, contents.has(key) ? maskContent : maskRecipient)}`,
  );
};
