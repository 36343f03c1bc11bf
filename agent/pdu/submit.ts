import { packSeptets, toSeptets } from './gsm-text.ts';

/** An SMS-SUBMIT as AT+CMGS takes it (3GPP TS 23.040, 9.2.2.2). */
export interface SubmitPdu {
  hex: string;
  /** Octets without the service centre's address: the parameter of AT+CMGS. */
  length: number;
}

interface Submission {
  recipient: string;
  text: string;
  validityMinutes: number;
  receipt: boolean;
  /** Of the parts of a long text, 0 to 255: the recipient's phone puts together those with the same. */
  reference: number;
}

/** Septets or octets of user data, of a message in one piece and of a part beside its header. */
const LIMITS = { gsm: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const;
const DCS = { gsm: 0, ucs2: 8 } as const;
const HEADER_OCTETS = 6;
const HEADER_SEPTETS = 7;
const HEADER_FILL_BITS = 1;

const SUBMIT = 0x01;
const RELATIVE_VALIDITY = 0x10;
const STATUS_REPORT = 0x20;
const USER_DATA_HEADER = 0x40;
const INTERNATIONAL = 0x91;

/** Fills parts in order; what belongs together (an escape, a surrogate pair) stays together, as contract/traffic/segments counts. */
const cut = <Unit extends { length: number }>(units: Unit[], limit: number): Unit[][] => {
  const parts: Unit[][] = [[]];
  let used = 0;
  for (const unit of units) {
    if (used + unit.length > limit) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(unit);
    used += unit.length;
  }
  return parts;
};

const fitIn = <Unit extends { length: number }>(
  units: Unit[],
  { single, part }: { single: number; part: number },
): Unit[][] => (units.reduce((sum, { length }) => sum + length, 0) <= single ? [units] : cut(units, part));

const swapNibbles = (digits: string): string => {
  const even = digits.length % 2 === 0 ? digits : `${digits}F`;
  return even.replace(/(.)(.)/g, '$2$1');
};

/** TP-VP, relative (9.2.3.12.1): steps of 5 minutes, half an hour, a day, a week. */
const validityOctet = (minutes: number): number => {
  if (minutes <= 720) return Math.max(0, Math.ceil(minutes / 5) - 1);
  if (minutes <= 1_440) return 143 + Math.ceil((minutes - 720) / 30);
  if (minutes <= 43_200) return 166 + Math.max(2, Math.ceil(minutes / 1_440));
  return Math.min(255, 192 + Math.ceil(minutes / 10_080));
};

const hexOctet = (octet: number): string => octet.toString(16).padStart(2, '0').toUpperCase();

/** One for each part, in order. */
export const encodeSubmit = ({
  recipient,
  text,
  validityMinutes,
  receipt,
  reference,
}: Submission): SubmitPdu[] => {
  const digits = recipient.replace(/\D/g, '');
  const septets = toSeptets(text);
  const coding = septets ? 'gsm' : 'ucs2';
  const bodies: { units: number; octets: (fillBits: number) => Buffer }[] = septets
    ? fitIn(septets, LIMITS.gsm).map((part) => {
        const flat = part.flat();
        return { units: flat.length, octets: (fillBits) => packSeptets(flat, fillBits) };
      })
    : fitIn([...text], LIMITS.ucs2).map((part) => {
        const octets = Buffer.from(part.join(''), 'utf16le').swap16();
        return { units: octets.length, octets: () => octets };
      });
  const isLong = bodies.length > 1;
  const flags = SUBMIT | RELATIVE_VALIDITY | (receipt ? STATUS_REPORT : 0) | (isLong ? USER_DATA_HEADER : 0);
  const head = [flags, 0, digits.length, INTERNATIONAL].map(hexOctet).join('') + swapNibbles(digits);
  const middle = [0, DCS[coding], validityOctet(validityMinutes)].map(hexOctet).join('');
  return bodies.map(({ units, octets }, at) => {
    const header = isLong
      ? Buffer.from([HEADER_OCTETS - 1, 0, 3, reference & 0xff, bodies.length, at + 1])
      : Buffer.alloc(0);
    const headerUnits = isLong ? (coding === 'gsm' ? HEADER_SEPTETS : HEADER_OCTETS) : 0;
    const body = Buffer.concat([header, octets(isLong && coding === 'gsm' ? HEADER_FILL_BITS : 0)]);
    const pdu = head + middle + hexOctet(units + headerUnits) + body.toString('hex').toUpperCase();
    // No address of a service centre: the SIM's is used.
    return { hex: `00${pdu}`, length: pdu.length / 2 };
  });
};
