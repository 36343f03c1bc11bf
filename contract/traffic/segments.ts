/**
 * How carriers count an SMS. This file must not import anything: the page counts while one types, the server
 * when it prices, and both must come to the same figure.
 */

/** GSM 03.38's basic alphabet, in the order of its codes; position 27 is the escape and stands for no character. */
export const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = '\x1b';
/** Its extension table: each costs two of the basic alphabet's places, the escape before it. */
export const GSM_EXTENSION = '\f^{}\\[~]|€';

/** By UTF-16 unit; 0 for what the alphabet lacks. All of it lies below the euro sign's code. */
const PLACES = new Uint8Array('€'.charCodeAt(0) + 1);
for (const character of GSM_BASIC) if (character !== ESCAPE) PLACES[character.charCodeAt(0)] = 1;
for (const character of GSM_EXTENSION) PLACES[character.charCodeAt(0)] = 2;

export type Encoding = 'GSM' | 'UCS2';

interface Segmentation {
  encoding: Encoding;
  /** Places taken: septets of the GSM alphabet or UTF-16 units. */
  places: number;
  segments: number;
  /** Places still free in the last segment. */
  left: number;
}

const LIMITS = { GSM: { single: 160, part: 153 }, UCS2: { single: 70, part: 67 } } as const;

/** The septets that the text takes, or undefined when the GSM alphabet lacks one of its characters. */
const septetsOf = (text: string): number | undefined => {
  let septets = 0;
  for (let at = 0; at < text.length; at++) {
    const places = PLACES[text.charCodeAt(at)];
    if (!places) return undefined;
    septets += places;
  }
  return septets;
};

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

/**
 * Parts of a long message are filled in order, and what takes two places is never cut in half: an escape stays
 * with its character, a surrogate with its pair. So a part may end with an unused place.
 */
const countParts = (text: string, encoding: Encoding, limit: number): { parts: number; used: number } => {
  let parts = 1;
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const pair = encoding === 'UCS2' && isPair(text, at);
    const size = encoding === 'GSM' ? (PLACES[text.charCodeAt(at)] ?? 0) : pair ? 2 : 1;
    if (used + size > limit) {
      parts += 1;
      used = 0;
    }
    used += size;
    if (pair) at += 1;
  }
  return { parts, used };
};

/** An empty text is no message: 0 segments. */
export const segmentation = (text: string): Segmentation => {
  const septets = septetsOf(text);
  const encoding = septets === undefined ? 'UCS2' : 'GSM';
  const places = septets ?? text.length;
  const { single, part } = LIMITS[encoding];
  if (places === 0) return { encoding, places, segments: 0, left: single };
  if (places <= single) return { encoding, places, segments: 1, left: single - places };
  const { parts, used } = countParts(text, encoding, part);
  return { encoding, places, segments: parts, left: part - used };
};
