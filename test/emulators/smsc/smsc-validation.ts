import { type SmppMessage, TLV } from '../../../server/providers/smpp/testing/codec.ts';

/** The statuses with which a message centre refuses malformed requests. */
export const INVALID = {
  length: 0x01,
  source: 0x0a,
  destination: 0x0b,
  esmClass: 0x43,
  sourceTon: 0x48,
  destinationTon: 0x50,
  optionalPart: 0xc0,
  registeredDelivery: 0x07,
  /** SMPP 5.0 has a name for it; message centres of 3.4 use it as well. */
  dataCoding: 0x104,
} as const;

const USER_DATA_OCTETS = 140;
const SUPPORTED_CODINGS = [0, 1, 3, 8];
const GSM = 0;
const UCS2 = 8;
const ESCAPE = 0x1b;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** How much fits into 140 octets after a header: septets for the GSM alphabet, octets for the others. */
const capacity = (dataCoding: number, headerOctets: number): number =>
  dataCoding === GSM
    ? Math.floor(((USER_DATA_OCTETS - headerOctets) * 8) / 7)
    : USER_DATA_OCTETS - headerOctets;

const faultOfText = (text: Buffer, dataCoding: number): number | undefined => {
  if (dataCoding === UCS2) {
    if (text.length % 2 === 1) return INVALID.length;
    return isHighSurrogate(text.readUInt16BE(text.length - 2)) ? INVALID.length : undefined;
  }
  if (dataCoding !== GSM) return undefined;
  for (const octet of text) if (octet > 0x7f) return INVALID.dataCoding;
  return text.at(-1) === ESCAPE ? INVALID.length : undefined;
};

const faultOfContent = ({ content, esmClass, dataCoding, tlvs }: SmppMessage): number | undefined => {
  const payload = tlvs.get(TLV.messagePayload);
  const inPayload = payload !== undefined;
  if (inPayload && payload !== content && !payload.equals(content)) return INVALID.length;
  if (content.length === 0) return INVALID.length;
  const hasHeader = (esmClass & 0x40) !== 0;
  const headerOctets = hasHeader ? (content[0] ?? 0) + 1 : 0;
  if (hasHeader && headerOctets >= content.length) return INVALID.esmClass;
  const text = content.subarray(headerOctets);
  if (!inPayload && text.length > capacity(dataCoding, headerOctets)) return INVALID.length;
  return faultOfText(text, dataCoding);
};

/** How a message centre would answer a malformed submit_sm. */
export const faultOf = (message: SmppMessage): number | undefined => {
  const { source, destination, dataCoding, registeredDelivery, brokenEnd } = message;
  if (brokenEnd) return INVALID.optionalPart;
  if (source.ton > 6 || (source.ton === 5 && source.digits === '')) return INVALID.sourceTon;
  if (source.digits.length > 20) return INVALID.source;
  if (destination.ton > 6) return INVALID.destinationTon;
  if (!/^\d{3,20}$/.test(destination.digits)) return INVALID.destination;
  if (registeredDelivery > 0x1f) return INVALID.registeredDelivery;
  if (!SUPPORTED_CODINGS.includes(dataCoding)) return INVALID.dataCoding;
  return faultOfContent(message);
};
