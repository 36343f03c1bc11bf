/**
 * How carriers count an SMS. This file must not import anything: the page counts while one types, the server
 * when it prices, and both must come to the same figure.
 */

/** GSM 03.38's basic alphabet, in the order of its codes; position 27 is the escape and stands for no character. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Its extension table: each costs two of the basic alphabet's places, the escape before it. */
const EXTENSION = '\f^{}\\[~]|€';

const PLACES = new Map<string, number>([
  ...[...BASIC].filter((character) => character !== '\x1b').map((character) => [character, 1] as const),
  ...[...EXTENSION].map((character) => [character, 2] as const),
]);

export type Encoding = 'GSM' | 'UCS2';

export interface Segmentation {
  encoding: Encoding;
  /** Places taken: septets of the GSM alphabet or UTF-16 units. */
  places: number;
  segments: number;
  /** Places still free in the last segment. */
  left: number;
}

const LIMITS = { GSM: { single: 160, part: 153 }, UCS2: { single: 70, part: 67 } } as const;

/**
 * Parts of a long message are filled in order, and what takes two places is never cut in half: an escape stays
 * with its character, a surrogate with its pair. So a part may end with an unused place.
 */
const countParts = (sizes: number[], limit: number): { parts: number; used: number } => {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > limit) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return { parts, used };
};

const sizesOf = (text: string): { encoding: Encoding; sizes: number[] } => {
  const characters = [...text];
  const gsm = characters.map((character) => PLACES.get(character));
  return gsm.every((size) => size !== undefined)
    ? { encoding: 'GSM', sizes: gsm as number[] }
    : { encoding: 'UCS2', sizes: characters.map((character) => character.length) };
};

/** An empty text is no message: 0 segments. */
export const segmentation = (text: string): Segmentation => {
  const { encoding, sizes } = sizesOf(text);
  const { single, part } = LIMITS[encoding];
  const places = sizes.reduce((sum, size) => sum + size, 0);
  if (places === 0) return { encoding, places, segments: 0, left: single };
  if (places <= single) return { encoding, places, segments: 1, left: single - places };
  const { parts, used } = countParts(sizes, part);
  return { encoding, places, segments: parts, left: part - used };
};
