import { COMMAND, HEADER_OCTETS, TLV } from './commands.ts';

export interface SmppAddress {
  /** Type of number and numbering plan, as SMPP numbers them. */
  ton: number;
  npi: number;
  digits: string;
}

/** What submit_sm and deliver_sm have in common: the fields that are not always zero or empty. */
export interface MessageFields {
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  registeredDelivery: number;
  dataCoding: number;
  /** The octets of the text, with its user data header if esmClass says so. */
  content: Uint8Array;
  /** Sends the content as message_payload, which may be long. */
  asPayload: boolean;
  tlvs?: readonly { tag: number; value: Uint8Array }[];
}

export interface QueriedFields {
  messageId: string;
  finalDate: string;
  /** As in message_state. */
  state: number;
  error: number;
}

interface BindFields {
  systemId: string;
  password: string;
  systemType: string;
}

const INTERFACE_VERSION = 0x34;
const BLOCK_OCTETS = 256 * 1024;
/** All of the mandatory part but the addresses' digits and the content, with empty texts as their zero. */
const MESSAGE_FIXED_OCTETS = 17;

/**
 * Writes PDUs one after the other, so that many are sent with one system call. What was taken is never written to
 * again: a socket may still hold it.
 */
export class PduWriter {
  #block = Buffer.allocUnsafeSlow(BLOCK_OCTETS);
  #begin = 0;
  #end = 0;
  /** Whole PDUs of a block that is full. */
  #full: Buffer[] = [];

  get isEmpty(): boolean {
    return this.#end === this.#begin && this.#full.length === 0;
  }

  /** All that was written since it was last asked. */
  take(): Buffer {
    const rest = this.#block.subarray(this.#begin, this.#end);
    this.#begin = this.#end;
    if (this.#full.length === 0) return rest;
    const all = Buffer.concat([...this.#full, rest]);
    this.#full = [];
    return all;
  }

  plain(command: number, status: number, sequence: number): void {
    this.#header(HEADER_OCTETS, command, status, sequence);
  }

  /** An answer that carries one text: a message id or the name of the system. */
  answer(command: number, sequence: number, text: string): void {
    this.#header(HEADER_OCTETS + text.length + 1, command, 0, sequence);
    this.#text(text);
  }

  bindTransceiver(sequence: number, { systemId, password, systemType }: BindFields): void {
    const octets = HEADER_OCTETS + systemId.length + password.length + systemType.length + 7;
    this.#header(octets, COMMAND.bindTransceiver, 0, sequence);
    this.#text(systemId);
    this.#text(password);
    this.#text(systemType);
    this.#octets(INTERFACE_VERSION, 0, 0, 0);
  }

  /** SMPP 3.4, section 4.8.1. */
  query(sequence: number, messageId: string, source: SmppAddress): void {
    this.#header(HEADER_OCTETS + messageId.length + source.digits.length + 4, COMMAND.querySm, 0, sequence);
    this.#text(messageId);
    this.#octets(source.ton, source.npi);
    this.#text(source.digits);
  }

  /** SMPP 3.4, section 4.8.2. */
  queried(sequence: number, { messageId, finalDate, state, error }: QueriedFields): void {
    this.#header(HEADER_OCTETS + messageId.length + finalDate.length + 4, COMMAND.querySmResp, 0, sequence);
    this.#text(messageId);
    this.#text(finalDate);
    this.#octets(state, error);
  }

  message(command: number, sequence: number, fields: MessageFields): void {
    const { source, destination, content, asPayload, tlvs } = fields;
    let octets =
      HEADER_OCTETS +
      MESSAGE_FIXED_OCTETS +
      source.digits.length +
      destination.digits.length +
      content.length;
    if (asPayload) octets += 4;
    if (tlvs) for (const { value } of tlvs) octets += 4 + value.length;
    this.#header(octets, command, 0, sequence);
    this.#octets(0, source.ton, source.npi);
    this.#text(source.digits);
    this.#octets(destination.ton, destination.npi);
    this.#text(destination.digits);
    this.#octets(fields.esmClass, 0, 0, 0, 0);
    this.#octets(fields.registeredDelivery, 0, fields.dataCoding, 0, asPayload ? 0 : content.length);
    if (asPayload) this.#tlv(TLV.messagePayload, content);
    else this.#copy(content);
    if (tlvs) for (const { tag, value } of tlvs) this.#tlv(tag, value);
  }

  #header(octets: number, command: number, status: number, sequence: number): void {
    if (this.#end + octets > this.#block.length) this.#nextBlock(octets);
    const at = this.#end;
    const block = this.#block;
    block.writeUInt32BE(octets, at);
    block.writeUInt32BE(command, at + 4);
    block.writeUInt32BE(status, at + 8);
    block.writeUInt32BE(sequence, at + 12);
    this.#end = at + HEADER_OCTETS;
  }

  #nextBlock(octets: number): void {
    if (this.#end > this.#begin) this.#full.push(this.#block.subarray(this.#begin, this.#end));
    this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_OCTETS, octets));
    this.#begin = 0;
    this.#end = 0;
  }

  #octets(...values: number[]): void {
    for (const value of values) this.#block[this.#end++] = value;
  }

  #text(text: string): void {
    // Short and plain as these are, this is quicker than a call into the runtime.
    for (let i = 0; i < text.length; i++) this.#block[this.#end++] = text.charCodeAt(i);
    this.#block[this.#end++] = 0;
  }

  #copy(content: Uint8Array): void {
    this.#block.set(content, this.#end);
    this.#end += content.length;
  }

  #tlv(tag: number, value: Uint8Array): void {
    this.#block.writeUInt16BE(tag, this.#end);
    this.#block.writeUInt16BE(value.length, this.#end + 2);
    this.#end += 4;
    this.#copy(value);
  }
}
