/** Of ASCII, so that texts stay in the form that is quickest to work with. */
const HIDDEN = '***';

/** Enough of it to know it again, not enough to write to it. */
export const maskNumber = (number: string): string => {
  const digits = number.replace(/[^\d+]/g, '');
  return digits.length < 7 ? HIDDEN : `${digits.slice(0, 4)}${HIDDEN}${digits.slice(-2)}`;
};

const maskAddress = (address: string): string =>
  `${address.slice(0, 1)}${HIDDEN}${address.slice(address.lastIndexOf('@'))}`;

const maskRecipient = (text: string): string => (text.includes('@') ? maskAddress(text) : maskNumber(text));

/** Addresses and numbers within a sentence of ours, such as a refusal. */
const maskWithin = (text: string): string =>
  text.replace(/[^\s@<>"'(]+@[^\s@<>"')]+/g, maskAddress).replace(/\+?\d[\d -]{5,}\d/g, maskNumber);

/** The fields of our answers that hold a recipient; a test sees to it that none is forgotten. */
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
/** Those that hold what was written. */
const CONTENTS = ['message', 'text', 'subject', 'html', 'body', 'quotedMessage'];
const contents = new Set(CONTENTS);

/** Such a key and the text that belongs to it. */
const FIELD = new RegExp(`"(${[...RECIPIENTS, ...CONTENTS].join('|')})":"((?:[^"\\\\]|\\\\.)*)"`, 'g');
/** An error, or a bare sentence: what stands in its message is ours. */
const OURS = /^\{("code":"E_\w+",)?"message":"(?:[^"\\]|\\.)*"(,"requestId":"[\w-]*")?\}$/;

/**
 * The answer as it may be kept: recipients so that their owner knows them again, texts not at all. It works on
 * the JSON text, since parsing thousands of answers a second costs more. A quote within a value is escaped there,
 * so that no value can pass for a key.
 */
export const maskAnswer = (json: string): string => {
  const maskContent = OURS.test(json) ? maskWithin : () => HIDDEN;
  return json.replace(
    FIELD,
    (_, key: string, value: string) =>
      `"${key}":"${contents.has(key) ? maskContent(value) : maskRecipient(value)}"`,
  );
};
