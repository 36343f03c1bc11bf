import { GSM_BASIC, GSM_EXTENSION } from '../../contract/traffic/segments.ts';

/** The codes of GSM_EXTENSION's characters, in its order (3GPP TS 23.038, 6.2.1.1). */
const EXTENSION_CODES = [10, 20, 40, 41, 47, 60, 61, 62, 64, 101];
const ESCAPE = 27;

const septetsOfCharacter = new Map<string, number[]>();
[...GSM_BASIC].forEach((character, code) => {
  if (code !== ESCAPE) septetsOfCharacter.set(character, [code]);
});
[...GSM_EXTENSION].forEach((character, at) => {
  septetsOfCharacter.set(character, [ESCAPE, EXTENSION_CODES[at] ?? 0]);
});
const extended = new Map([...GSM_EXTENSION].map((character, at) => [EXTENSION_CODES[at], character]));

/** By character, so that a cut never parts an escape from its other half; undefined if one is not in the alphabet. */
export const toSeptets = (text: string): number[][] | undefined => {
  const septets: number[][] = [];
  for (const character of text) {
    const codes = septetsOfCharacter.get(character);
    if (!codes) return undefined;
    septets.push(codes);
  }
  return septets;
};

export const fromSeptets = (septets: number[]): string => {
  let text = '';
  for (let at = 0; at < septets.length; at++) {
    const code = septets[at] ?? 0;
    if (code !== ESCAPE) {
      text += GSM_BASIC[code] ?? '';
      continue;
    }
    // An escape before a code that the table lacks is a space, and the code stands for itself.
    const character = extended.get(septets[at + 1]);
    if (character) at++;
    text += character ?? ' ';
  }
  return text;
};

/** Eight septets in seven octets, the first at `fillBits` of the first octet (3GPP TS 23.038, 6.1.2.1). */
export const packSeptets = (septets: number[], fillBits = 0): Buffer => {
  const octets = Buffer.alloc(Math.ceil((fillBits + septets.length * 7) / 8));
  septets.forEach((septet, at) => {
    const bit = fillBits + at * 7;
    const shifted = septet << (bit % 8);
    const first = bit >> 3;
    octets[first] = (octets[first] ?? 0) | (shifted & 0xff);
    if (shifted > 0xff) octets[first + 1] = (octets[first + 1] ?? 0) | (shifted >> 8);
  });
  return octets;
};

export const unpackSeptets = (octets: Buffer, count: number, fillBits = 0): number[] =>
  Array.from({ length: count }, (_, at) => {
    const bit = fillBits + at * 7;
    const first = bit >> 3;
    return ((((octets[first] ?? 0) | ((octets[first + 1] ?? 0) << 8)) >> (bit % 8)) & 0x7f) as number;
  });
