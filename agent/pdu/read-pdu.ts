import { fromSeptets, unpackSeptets } from './gsm-text.ts';

/** Which part of a long message this is. */
export interface Concatenation {
  reference: number;
  total: number;
  number: number;
}

export interface DeliverPdu {
  kind: 'deliver';
  from: string;
  text: string;
  at: Date;
  concatenation: Concatenation | undefined;
}

/** The network's word on one part that was sent. */
export interface StatusReportPdu {
  kind: 'report';
  reference: number;
  recipient: string;
  state: 'delivered' | 'enroute' | 'failed';
  /** TP-Status (3GPP TS 23.040, 9.2.3.15). */
  status: number;
  at: Date;
}

const ALPHANUMERIC = 0x50;
const INTERNATIONAL = 0x10;
const TYPE_OF_NUMBER = 0x70;

class Reader {
  readonly octets: Buffer;
  at = 0;
  constructor(octets: Buffer) {
    this.octets = octets;
  }
  next(): number {
    const octet = this.octets[this.at++];
    if (octet === undefined) throw new Error('the PDU ends too early');
    return octet;
  }
  take(count: number): Buffer {
    const taken = this.octets.subarray(this.at, this.at + count);
    if (taken.length < count) throw new Error('the PDU ends too early');
    this.at += count;
    return taken;
  }
  address(): string {
    const semiOctets = this.next();
    const type = this.next();
    const octets = this.take(Math.ceil(semiOctets / 2));
    if ((type & TYPE_OF_NUMBER) === ALPHANUMERIC)
      return fromSeptets(unpackSeptets(octets, Math.floor((semiOctets * 4) / 7)));
    const digits = octets
      .toString('hex')
      .replace(/(.)(.)/g, '$2$1')
      .slice(0, semiOctets);
    return `${(type & TYPE_OF_NUMBER) === INTERNATIONAL ? '+' : ''}${digits.replace(/[^\d]/g, '')}`;
  }
  /** TP-SCTS (9.2.3.11): digits swapped, and quarters of an hour from UTC with a sign in bit 3. */
  moment(): Date {
    const octets = this.take(7);
    const numbers = [...octets].map((octet) => (octet & 0x0f) * 10 + (octet >> 4));
    const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = numbers;
    const zone = octets[6] ?? 0;
    const quarters = (zone & 0x07) * 10 + (zone >> 4);
    const offsetMs = quarters * 15 * 60_000 * (zone & 0x08 ? -1 : 1);
    const at = Date.UTC(2000 + year, month - 1, day, hours, minutes, seconds) - offsetMs;
    return new Date(Number.isNaN(at) ? 0 : at);
  }
}

/** By TP-DCS (3GPP TS 23.038, 4). */
const codingOf = (dcs: number): 'gsm' | 'octets' | 'ucs2' => {
  const group = dcs >> 4;
  if (group === 0xe) return 'ucs2';
  if (group === 0xf) return dcs & 0x04 ? 'octets' : 'gsm';
  if (group >= 0x8) return 'gsm';
  return (['gsm', 'octets', 'ucs2', 'gsm'] as const)[(dcs >> 2) & 3] ?? 'gsm';
};

const readConcatenation = (header: Buffer): Concatenation | undefined => {
  for (let at = 0; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) {
    const body = header.subarray(at + 2, at + 2 + (header[at + 1] ?? 0));
    const wide = header[at] === 8 && body.length === 4;
    if (!wide && !(header[at] === 0 && body.length === 3)) continue;
    const reference = wide ? body.readUInt16BE(0) : (body[0] ?? 0);
    const [total = 0, number = 0] = body.subarray(wide ? 2 : 1);
    if (total > 1 && number >= 1 && number <= total) return { reference, total, number };
  }
  return undefined;
};

const readText = (reader: Reader, dcs: number, hasHeader: boolean) => {
  const length = reader.next();
  const coding = codingOf(dcs);
  const data = reader.take(coding === 'gsm' ? Math.ceil((length * 7) / 8) : length);
  const headerOctets = hasHeader ? (data[0] ?? 0) + 1 : 0;
  const concatenation = hasHeader ? readConcatenation(data.subarray(1, headerOctets)) : undefined;
  const body = data.subarray(headerOctets);
  if (coding === 'ucs2') {
    const even = body.subarray(0, body.length - (body.length % 2));
    return { concatenation, text: Buffer.from(even).swap16().toString('utf16le') };
  }
  if (coding === 'octets') return { concatenation, text: body.toString('latin1') };
  const headerSeptets = Math.ceil((headerOctets * 8) / 7);
  const septets = unpackSeptets(data, length).slice(headerSeptets);
  return { concatenation, text: fromSeptets(septets) };
};

const stateOf = (status: number): StatusReportPdu['state'] => {
  if (status < 0x20) return 'delivered';
  return status < 0x40 ? 'enroute' : 'failed';
};

/** An SMS-DELIVER or SMS-STATUS-REPORT as a modem gives it; undefined for other kinds. Throws if it is damaged. */
export const readPdu = (hex: string): DeliverPdu | StatusReportPdu | undefined => {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new Error('the PDU is not hexadecimal');
  const reader = new Reader(Buffer.from(hex, 'hex'));
  reader.take(reader.next());
  const flags = reader.next();
  const type = flags & 3;
  if (type === 2) {
    const reference = reader.next();
    const recipient = reader.address();
    reader.moment();
    const at = reader.moment();
    const status = reader.next();
    return { kind: 'report', reference, recipient, state: stateOf(status), status, at };
  }
  if (type !== 0) return undefined;
  const from = reader.address();
  reader.next();
  const dcs = reader.next();
  const at = reader.moment();
  return { kind: 'deliver', from, at, ...readText(reader, dcs, (flags & 0x40) !== 0) };
};
