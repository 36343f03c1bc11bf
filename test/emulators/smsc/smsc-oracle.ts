import { createRequire } from 'node:module';

/** A PDU as the npm package `smpp` reads and writes it: its fields by the names of the specification. */
export interface OraclePdu {
  command: string;
  command_length: number;
  command_status: number;
  sequence_number: number;
  [field: string]: unknown;
  toBuffer: () => Buffer;
}

export interface OracleSession {
  on: (event: string, listener: (pdu: OraclePdu) => void) => void;
  send: (pdu: OraclePdu) => boolean;
  close: () => void;
  submit_sm: (fields: object, answered: (pdu: OraclePdu) => void) => void;
  bind_transceiver: (fields: object, answered: (pdu: OraclePdu) => void) => void;
}

interface OracleLibrary {
  PDU: { new (command: string, fields: object): OraclePdu; new (octets: Buffer): OraclePdu };
  connect: (options: object, connected: () => void) => OracleSession;
}

/** The package has no types. */
export const oracle = createRequire(import.meta.url)('smpp') as OracleLibrary;
