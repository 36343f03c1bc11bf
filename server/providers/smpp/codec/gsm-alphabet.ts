/** GSM 03.38's basic alphabet in the order of its codes; 27 is the escape to the extension table. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION: Record<number, string> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
};

const ESCAPE = 0x1b;
const NONE = 0xffff;
/** The highest character of the alphabet is the euro sign. */
const HIGHEST = 0x20ac;

/** By UTF-16 unit: the code, or the escape and the code, or NONE. */
const CODES = new Uint16Array(HIGHEST + 1).fill(NONE);
for (let code = 0; code < BASIC.length; code++) if (code !== ESCAPE) CODES[BASIC.charCodeAt(code)] = code;
for (const [code, character] of Object.entries(EXTENSION))
  CODES[character.charCodeAt(0)] = (ESCAPE << 8) | Number(code);

/** Octets, one a septet, or undefined when a character is not in the alphabet. */
export const encodeGsm = (text: string): Buffer | undefined => {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const code = unit > HIGHEST ? NONE : (CODES[unit] ?? NONE);
    if (code === NONE) return undefined;
    if (code > 0xff) octets[at++] = ESCAPE;
    octets[at++] = code & 0xff;
  }
  return octets.subarray(0, at);
};

export const isEscape = (octet: number | undefined): boolean => octet === ESCAPE;

/** Codes that are the same in Latin-1, so that a text of nothing else need not be looked up. */
const SAME = Uint8Array.from({ length: 256 }, (_, code) =>
  code !== ESCAPE && BASIC.charCodeAt(code) === code ? 1 : 0,
);

/** An escape before a code that the extension table lacks is a space in the standard; the code then stands alone. */
const decodeSlowly = (octets: Buffer): string => {
  let text = '';
  for (let i = 0; i < octets.length; i++) {
    const code = octets[i] ?? 0;
    if (code !== ESCAPE) {
      // Beyond seven bits nothing is defined: the far end probably meant Latin-1.
      text += BASIC[code] ?? String.fromCharCode(code);
      continue;
    }
    const extended = EXTENSION[octets[i + 1] ?? -1];
    if (extended !== undefined) i++;
    text += extended ?? ' ';
  }
  return text;
};

export const decodeGsm = (octets: Buffer): string => {
  for (let i = 0; i < octets.length; i++) if (SAME[octets[i] ?? 0] === 0) return decodeSlowly(octets);
  return octets.toString('latin1');
};
