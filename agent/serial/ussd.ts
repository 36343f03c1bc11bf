import { fromSeptets, unpackSeptets } from '../pdu/gsm-text.ts';

const LINE = /^\+CUSD: *(\d)(?:, *"([\s\S]*)"(?:, *(\d+))?)?/;
const UCS2_DCS = 72;

/** The text of a `+CUSD` line. Modems write it plainly, or its octets in hexadecimal. */
export const readUssd = (line: string): string => {
  const [, , said = '', dcs] = LINE.exec(line) ?? [];
  const isHex = said.length >= 4 && /^([0-9A-F]{2})+$/i.test(said);
  if (!isHex) return said;
  const octets = Buffer.from(said, 'hex');
  if (Number(dcs) === UCS2_DCS || (octets.length % 2 === 0 && octets[0] === 0))
    return octets.swap16().toString('utf16le');
  return fromSeptets(unpackSeptets(octets, Math.floor((octets.length * 8) / 7)));
};
