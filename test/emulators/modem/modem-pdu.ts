import { GSM_BASIC, GSM_EXTENSION } from '../../../contract/traffic/segments.ts';

/**
 * The network's side of 3GPP TS 23.040: reads what a modem is given to send, and writes what it receives. Written apart
 * from the agent's own, bit by bit, so that a mistake there is not repeated here.
 */
export interface Part {
  reference: number;
  total: number;
  number: number;
}

export interface Submitted {
  to: string;
  text: string;
  receipt: boolean;
  concat: Part | null;
}

const EXTENSION_CODES = [10, 20, 40, 41, 47, 60, 61, 62, 64, 101];

const bitsOf = (octets: Buffer): number[] =>
  [...octets].flatMap((octet) => [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => (octet >> bit) & 1));
const codesOf = (bits: number[], count: number): number[] =>
  Array.from({ length: count }, (_, at) =>
    bits.slice(at * 7, at * 7 + 7).reduce((sum, bit, i) => sum + (bit << i), 0),
  );

const textOf = (codes: number[]): string => {
  let text = '';
  for (let at = 0; at < codes.length; at++) {
    if (codes[at] === 27) text += [...GSM_EXTENSION][EXTENSION_CODES.indexOf(codes[++at] ?? -1)] ?? '?';
    else text += GSM_BASIC[codes[at] ?? 0] ?? '?';
  }
  return text;
};
const codesOfText = (text: string): number[] | undefined => {
  const codes: number[] = [];
  for (const character of text) {
    const basic = GSM_BASIC.indexOf(character);
    const extended = [...GSM_EXTENSION].indexOf(character);
    if (basic >= 0) codes.push(basic);
    else if (extended >= 0) codes.push(27, EXTENSION_CODES[extended] ?? 0);
    else return undefined;
  }
  return codes;
};
const octetsOfBits = (bits: number[]): Buffer =>
  Buffer.from(
    Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
      bits.slice(at * 8, at * 8 + 8).reduce((sum, bit, i) => sum + (bit << i), 0),
    ),
  );
const bitsOfCodes = (codes: number[]): number[] =>
  codes.flatMap((code) => [0, 1, 2, 3, 4, 5, 6].map((bit) => (code >> bit) & 1));

/** Throws for what no service centre takes. */
export const readSubmit = (hex: string, length: number): Submitted => {
  const all = Buffer.from(hex, 'hex');
  const tpdu = all.subarray(1 + (all[0] ?? 0));
  if (tpdu.length !== length) throw new Error(`the PDU has ${tpdu.length} octets, not ${length}`);
  const flags = tpdu[0] ?? 0;
  if ((flags & 3) !== 1) throw new Error('it is no SMS-SUBMIT');
  const digits = tpdu[2] ?? 0;
  const numberOctets = Math.ceil(digits / 2);
  const swapped = tpdu
    .subarray(4, 4 + numberOctets)
    .toString('hex')
    .replace(/(.)(.)/g, '$2$1');
  const to = `${((tpdu[3] ?? 0) & 0x70) === 0x10 ? '+' : ''}${swapped.slice(0, digits)}`;
  let at = 4 + numberOctets + 1;
  const dcs = tpdu[at++] ?? 0;
  const validity = (flags >> 3) & 3;
  at += validity === 0 ? 0 : validity === 2 ? 1 : 7;
  const dataLength = tpdu[at++] ?? 0;
  const data = tpdu.subarray(at);
  const headerLength = flags & 0x40 ? (data[0] ?? 0) + 1 : 0;
  const header = data.subarray(1, headerLength);
  const isWide = header[0] === 8;
  const concat = headerLength
    ? {
        reference: isWide ? header.readUInt16BE(2) : (header[2] ?? 0),
        total: header[isWide ? 4 : 3] ?? 0,
        number: header[isWide ? 5 : 4] ?? 0,
      }
    : null;
  const receipt = (flags & 0x20) !== 0;
  if ((dcs & 0x0c) === 8) {
    if (data.length !== dataLength || dataLength > 140) throw new Error('its length is wrong');
    return {
      to,
      receipt,
      concat,
      text: Buffer.from(data.subarray(headerLength)).swap16().toString('utf16le'),
    };
  }
  if (data.length !== Math.ceil((dataLength * 7) / 8) || dataLength > 160)
    throw new Error('its length is wrong');
  const skipped = Math.ceil((headerLength * 8) / 7);
  const codes = codesOf(bitsOf(data).slice(skipped * 7), dataLength - skipped);
  return { to, receipt, concat, text: textOf(codes) };
};

const hex2 = (octet: number): string => octet.toString(16).padStart(2, '0').toUpperCase();
const address = (number: string): string => {
  const digits = number.replace(/\D/g, '');
  if (!/^\+?\d+$/.test(number)) {
    const octets = octetsOfBits(bitsOfCodes(codesOfText(number) ?? []));
    return `${hex2(octets.length * 2)}D0${octets.toString('hex').toUpperCase()}`;
  }
  const even = digits.length % 2 ? `${digits}F` : digits;
  return hex2(digits.length) + (number.startsWith('+') ? '91' : '81') + even.replace(/(.)(.)/g, '$2$1');
};
const CENTRE = `07${address('+85290000000').slice(2)}`;
/** In UTC. */
const moment = (at: Date): string =>
  [
    at.getUTCFullYear() % 100,
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    0,
  ]
    .map((value) => String(value).padStart(2, '0').split('').reverse().join(''))
    .join('');

/** In as many parts as the text needs; the service centre's address is before each. */
export const writeDelivers = (message: {
  from: string;
  text: string;
  at: Date;
  reference: number;
}): string[] => {
  const codes = codesOfText(message.text);
  const units = codes
    ? [...message.text].map((one) => codesOfText(one)?.length ?? 1)
    : [...message.text].map((one) => one.length);
  const [single, limit] = codes ? [160, 153] : [70, 67];
  const pieces: string[] = [];
  if (units.reduce((sum, one) => sum + one, 0) <= single) pieces.push(message.text);
  else {
    let used = limit;
    [...message.text].forEach((character, at) => {
      const size = units[at] ?? 1;
      if (used + size > limit) {
        pieces.push('');
        used = 0;
      }
      pieces.push(`${pieces.pop() ?? ''}${character}`);
      used += size;
    });
  }
  return pieces.map((piece, at) => {
    const isLong = pieces.length > 1;
    const header = isLong
      ? Buffer.from([5, 0, 3, message.reference & 0xff, pieces.length, at + 1])
      : Buffer.alloc(0);
    const head = `${(isLong ? '44' : '04') + address(message.from)}00${codes ? '00' : '08'}${moment(message.at)}`;
    if (!codes) {
      const body = Buffer.concat([header, Buffer.from(piece, 'utf16le').swap16()]);
      return CENTRE + head + hex2(body.length) + body.toString('hex').toUpperCase();
    }
    const pieceCodes = codesOfText(piece) ?? [];
    const headerBits = isLong ? [...bitsOf(header), 0] : [];
    const body = octetsOfBits([...headerBits, ...bitsOfCodes(pieceCodes)]);
    return CENTRE + head + hex2(pieceCodes.length + (isLong ? 7 : 0)) + body.toString('hex').toUpperCase();
  });
};

export const writeReport = (report: { reference: number; to: string; at: Date; status: number }): string =>
  CENTRE +
  '06' +
  hex2(report.reference) +
  address(report.to) +
  moment(report.at) +
  moment(report.at) +
  hex2(report.status);

/** Octets of a PDU without the service centre's address, as `+CMGL` and `+CDS` tell it. */
export const lengthOf = (hex: string): number => hex.length / 2 - 1 - Number.parseInt(hex.slice(0, 2), 16);
