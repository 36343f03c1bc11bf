import { fromSeptets, unpackSeptets } from '../pdu/gsm-text.ts';
import { AtSilence } from './at-errors.ts';
import type { AtPort } from './at-port.ts';

const USSD_MS = 60_000;
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

/** The network's answer, which comes apart from the modem's: whoever reads it resolves the promise. */
export const askUssd = async (
  at: AtPort,
  code: string,
  { promise, reject }: PromiseWithResolvers<string>,
): Promise<string> => {
  const limit = setTimeout(() => reject(new AtSilence('the network does not answer')), USSD_MS);
  try {
    await at.command(`AT+CUSD=1,"${code}",15`, USSD_MS);
    return await promise;
  } finally {
    clearTimeout(limit);
  }
};
