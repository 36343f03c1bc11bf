import { DATA_CODING, ESM, TLV } from './commands.ts';
import { decodeGsm } from './gsm-alphabet.ts';
import type { SmppMessage } from './message-reader.ts';

/** Alphabets of SMPP 3.4, section 5.2.19, that the runtime knows by name. */
const NAMED: Record<number, string> = {
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  10: 'iso-2022-jp',
  13: 'euc-jp',
  14: 'euc-kr',
};

const decodeUcs2 = (octets: Buffer): string =>
  Buffer.from(octets.subarray(0, octets.length & ~1))
    .swap16()
    .toString('utf16le');

/** GSM 03.38's own data codings (a message class or a waiting indication) name the alphabet in bits 2 and 3. */
const alphabetOfClass = (dataCoding: number): number => {
  if (dataCoding >= 0xf0) return dataCoding & 0x04 ? DATA_CODING.latin1 : DATA_CODING.default;
  if (dataCoding >= 0xe0) return DATA_CODING.ucs2;
  if (dataCoding >= 0xc0) return DATA_CODING.default;
  return (
    [DATA_CODING.default, DATA_CODING.latin1, DATA_CODING.ucs2][(dataCoding >> 2) & 3] ?? DATA_CODING.default
  );
};

export const decodeOctets = (octets: Buffer, dataCoding: number): string => {
  const named = NAMED[dataCoding];
  if (named) return new TextDecoder(named).decode(octets);
  const alphabet = dataCoding > 0x0f ? alphabetOfClass(dataCoding) : dataCoding;
  if (alphabet === DATA_CODING.default) return decodeGsm(octets);
  if (alphabet === DATA_CODING.ucs2) return decodeUcs2(octets);
  return octets.toString('latin1');
};

export interface Concatenation {
  reference: number;
  total: number;
  /** From 1. */
  number: number;
}

export interface DecodedContent {
  octets: Buffer;
  dataCoding: number;
  /** Set when it is a part of a longer message. */
  part: Concatenation | undefined;
}

const sane = (part: Concatenation): Concatenation | undefined =>
  part.total > 1 && part.number >= 1 && part.number <= part.total ? part : undefined;

/** Element 0 has a reference of 8 bits, element 8 one of 16 (3GPP TS 23.040, 9.2.3.24). */
const partOfHeader = (header: Buffer): Concatenation | undefined => {
  for (let at = 0; at + 2 <= header.length; ) {
    const [element, octets] = [header[at], header[at + 1] ?? 0];
    const value = header.subarray(at + 2, at + 2 + octets);
    if (element === 0 && value.length === 3)
      return sane({ reference: value[0] ?? 0, total: value[1] ?? 0, number: value[2] ?? 0 });
    if (element === 8 && value.length === 4)
      return sane({ reference: value.readUInt16BE(0), total: value[2] ?? 0, number: value[3] ?? 0 });
    at += 2 + octets;
  }
  return undefined;
};

const partOfTlvs = (tlvs: Map<number, Buffer>): Concatenation | undefined => {
  const [reference, total, number] = [TLV.sarReference, TLV.sarTotal, TLV.sarNumber].map((tag) =>
    tlvs.get(tag),
  );
  if (reference?.length !== 2 || total?.length !== 1 || number?.length !== 1) return undefined;
  return sane({ reference: reference.readUInt16BE(0), total: total[0] ?? 0, number: number[0] ?? 0 });
};

/** What a received message says, without its user data header. */
export const contentOf = ({ esmClass, content, dataCoding, tlvs }: SmppMessage): DecodedContent => {
  const headerOctets = content[0] ?? 0;
  if (!(esmClass & ESM.userDataHeader) || headerOctets >= content.length)
    return { octets: content, dataCoding, part: partOfTlvs(tlvs) };
  const header = content.subarray(1, 1 + headerOctets);
  return {
    octets: content.subarray(1 + headerOctets),
    dataCoding,
    part: partOfHeader(header) ?? partOfTlvs(tlvs),
  };
};
