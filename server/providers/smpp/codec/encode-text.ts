import { DATA_CODING } from './commands.ts';
import { encodeGsm, isEscape } from './gsm-alphabet.ts';

interface EncodedText {
  dataCoding: number;
  /** One, or several for a long text; without headers. */
  parts: Buffer[];
}

/** In octets: GSM 03.38 has one a place, UCS-2 two. A part of several has six octets less, for its header. */
const LIMITS = { gsm: { single: 160, part: 153 }, ucs2: { single: 140, part: 134 } } as const;

const cut = (octets: Buffer, limit: number, wouldHalve: (end: number) => boolean, unit: number): Buffer[] => {
  const parts: Buffer[] = [];
  for (let start = 0; start < octets.length; ) {
    let end = Math.min(start + limit, octets.length);
    if (end < octets.length && wouldHalve(end)) end -= unit;
    parts.push(octets.subarray(start, end));
    start = end;
  }
  return parts;
};

const encodeUcs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** By the upper octet of a unit: D8 to DB begin a pair, DC to DF end it. */
const beginsPair = (octets: Buffer, at: number): boolean => ((octets[at] ?? 0) & 0xfc) === 0xd8;
const endsPair = (octets: Buffer, at: number): boolean => ((octets[at] ?? 0) & 0xfc) === 0xdc;

/**
 * Cuts a text as contract/traffic/segments.ts counts it: parts are filled in order, and neither an escape nor a
 * surrogate is parted from its other half. `whole` leaves a long text in one piece.
 */
export const encodeText = (text: string, { whole }: { whole: boolean }): EncodedText => {
  const gsm = encodeGsm(text);
  if (gsm) {
    const dataCoding = DATA_CODING.default;
    if (whole || gsm.length <= LIMITS.gsm.single) return { dataCoding, parts: [gsm] };
    return { dataCoding, parts: cut(gsm, LIMITS.gsm.part, (end) => isEscape(gsm[end - 1]), 1) };
  }
  const ucs2 = encodeUcs2(text);
  const dataCoding = DATA_CODING.ucs2;
  if (whole || ucs2.length <= LIMITS.ucs2.single) return { dataCoding, parts: [ucs2] };
  const halves = (end: number) => beginsPair(ucs2, end - 2) && endsPair(ucs2, end);
  return { dataCoding, parts: cut(ucs2, LIMITS.ucs2.part, halves, 2) };
};

/** Whether it is too long for one short_message. */
export const isLong = ({ dataCoding, parts: [octets] }: EncodedText): boolean =>
  (octets?.length ?? 0) > (dataCoding === DATA_CODING.ucs2 ? LIMITS.ucs2.single : LIMITS.gsm.single);

/** A concatenation header with an 8-bit reference (3GPP TS 23.040, 9.2.3.24.1), before a part of a long text. */
export const withHeader = (
  part: Buffer,
  { reference, total, number }: { reference: number; total: number; number: number },
): Buffer => Buffer.concat([Buffer.from([5, 0, 3, reference, total, number]), part]);
