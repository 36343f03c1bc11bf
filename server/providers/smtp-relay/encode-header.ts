/** RFC 2047, 2: of an encoded word, with what stands around it. */
const MAX_WORD = 75;
const AROUND = '=?UTF-8?B??='.length;
/** How much UTF-8 fits into an encoded word of this length: base64 makes four of three. */
const octetsIn = (length: number): number => Math.floor((length - AROUND) / 4) * 3;
/** RFC 5322, 2.1.1: a line should have no more. */
const MAX_LINE = 78;
const FOLD = '\r\n ';

const SIMPLE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Header texts are one line: what would begin another, or can't be seen, becomes a space. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').toWellFormed();

const encodedWords = (text: string, column: number): string => {
  const words: string[] = [];
  let word = '';
  let octets = 0;
  let most = octetsIn(Math.min(MAX_WORD, MAX_LINE - column));
  for (const character of text) {
    const length = Buffer.byteLength(character);
    if (octets + length > most) {
      words.push(word);
      word = '';
      octets = 0;
      most = octetsIn(MAX_WORD);
    }
    word += character;
    octets += length;
  }
  words.push(word);
  return words.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(FOLD);
};

const foldWords = (text: string, column: number): string => {
  if (column + text.length <= MAX_LINE) return text;
  let at = column;
  let folded = '';
  for (const word of text.split(' ')) {
    if (folded !== '') {
      const fits = at + 1 + word.length <= MAX_LINE;
      folded += fits ? ' ' : FOLD;
      at = fits ? at + 1 : 1;
    }
    folded += word;
    at += word.length;
  }
  return folded;
};

/** A text such as a subject, behind a name that takes `column` characters. ASCII in any case. */
export const encodeHeaderText = (given: string, column: number): string => {
  const text = oneLine(given);
  if (text.length + column <= MAX_LINE && SIMPLE.test(text) && !text.includes('=?')) return text;
  const fitsFastPath = SIMPLE.test(text) && !text.includes('=?') && !/[^ ]{61}/.test(text);
  if (fitsFastPath) return foldWords(text, column);
  return encodedWords(text, column);
};

/** A name before an address. RFC 5322 lets few characters stand without quotes. */
const encodeName = (given: string, column: number): string => {
  const name = oneLine(given).trim();
  if (/^[\x20-\x7e]{1,60}$/.test(name) && !name.includes('=?'))
    return /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/.test(name)
      ? name
      : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return encodedWords(name, column);
};

export const encodeMailbox = (name: string, address: string, column: number): string => {
  if (name === '') return address;
  const encoded = encodeName(name, column);
  const last = encoded.slice(encoded.lastIndexOf('\n') + 1);
  const at = encoded.includes('\n') ? last.length : column + last.length;
  return `${encoded}${at + address.length + 3 > MAX_LINE ? FOLD : ' '}<${address}>`;
};
