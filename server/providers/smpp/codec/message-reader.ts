import { TLV } from './commands.ts';
import type { SmppAddress } from './pdu-writer.ts';

/** A submit_sm or deliver_sm as it came. */
export interface SmppMessage {
  serviceType: string;
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  protocolId: number;
  priority: number;
  scheduledFor: string;
  validUntil: string;
  registeredDelivery: number;
  replaceIfPresent: number;
  dataCoding: number;
  defaultMessage: number;
  /** short_message, or message_payload where that is used. */
  content: Buffer;
  tlvs: Map<number, Buffer>;
  /** Whether the optional part ended in the middle of a parameter. */
  brokenEnd: boolean;
}

class Malformed extends Error {}

class Cursor {
  #block: Buffer;
  #at: number;
  #end: number;

  constructor(block: Buffer, start: number, end: number) {
    this.#block = block;
    this.#at = start;
    this.#end = end;
  }

  octet(): number {
    const value = this.#at < this.#end ? this.#block[this.#at++] : undefined;
    if (value === undefined) throw new Malformed();
    return value;
  }

  text(): string {
    const start = this.#at;
    let zero = start;
    while (zero < this.#end && this.#block[zero] !== 0) zero++;
    if (zero >= this.#end) throw new Malformed();
    this.#at = zero + 1;
    return zero === start ? '' : this.#block.toString('latin1', start, zero);
  }

  address(): SmppAddress {
    return { ton: this.octet(), npi: this.octet(), digits: this.text() };
  }

  /** A copy, since what comes from the socket is only there for now. */
  bytes(octets: number): Buffer {
    if (this.#at + octets > this.#end) throw new Malformed();
    const bytes = Buffer.from(this.#block.subarray(this.#at, this.#at + octets));
    this.#at += octets;
    return bytes;
  }

  tlvs(): { tlvs: Map<number, Buffer>; brokenEnd: boolean } {
    const tlvs = new Map<number, Buffer>();
    while (this.#end - this.#at >= 4) {
      const tag = this.#block.readUInt16BE(this.#at);
      const octets = this.#block.readUInt16BE(this.#at + 2);
      if (this.#at + 4 + octets > this.#end) return { tlvs, brokenEnd: true };
      this.#at += 4;
      tlvs.set(tag, this.bytes(octets));
    }
    return { tlvs, brokenEnd: this.#at < this.#end };
  }
}

const read = (cursor: Cursor): SmppMessage => {
  const fields = {
    serviceType: cursor.text(),
    source: cursor.address(),
    destination: cursor.address(),
    esmClass: cursor.octet(),
    protocolId: cursor.octet(),
    priority: cursor.octet(),
    scheduledFor: cursor.text(),
    validUntil: cursor.text(),
    registeredDelivery: cursor.octet(),
    replaceIfPresent: cursor.octet(),
    dataCoding: cursor.octet(),
    defaultMessage: cursor.octet(),
  };
  const shortMessage = cursor.bytes(cursor.octet());
  const { tlvs, brokenEnd } = cursor.tlvs();
  const payload = shortMessage.length === 0 ? tlvs.get(TLV.messagePayload) : undefined;
  return { ...fields, content: payload ?? shortMessage, tlvs, brokenEnd };
};

/** The body of a submit_sm or deliver_sm, or undefined when its mandatory part is not one. */
export const readSmppMessage = (block: Buffer, start: number, end: number): SmppMessage | undefined => {
  try {
    return read(new Cursor(block, start, end));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
};
