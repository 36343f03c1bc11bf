const HIDDEN = '•••';

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

const VALUE = '"((?:[^"\\\\]|\\\\.)*)"';
const RECIPIENT = new RegExp(`"(\\w*(?:[pP]hone|[rR]ecipient|[eE]mail)\\w*|to|from)":${VALUE}`, 'g');
const CONTENT = new RegExp(`"(message|text|subject|html|body|quotedMessage)":${VALUE}`, 'g');
/** An error, or a bare sentence: what stands in its message is ours. */
const OURS = /^\{("code":"E_\w+",)?"message":"(?:[^"\\]|\\.)*"(,"requestId":"[\w-]*")?\}$/;

/**
 * The answer as it may be kept: recipients so that their owner knows them again, texts not at all. It works on
 * the JSON text, since parsing thousands of answers a second would cost more than all the rest of the log. A quote
 * within a value is escaped there, so that no value can pass for a key.
 */
export const maskAnswer = (json: string): string =>
  OURS.test(json)
    ? json.replace(CONTENT, (_, key: string, value: string) => `"${key}":"${maskWithin(value)}"`)
    : json
        .replace(RECIPIENT, (_, key: string, value: string) => `"${key}":"${maskRecipient(value)}"`)
        .replace(CONTENT, (_, key: string) => `"${key}":"${HIDDEN}"`);
