import type {
  AgentIncoming,
  AgentReceipt,
  AgentSend,
  HandOverResult,
} from '../../contract/fleet/agent-protocol.ts';
import type { Arrival } from '../modems/modem.ts';

/** A message whose receipts are awaited. */
export interface Awaited {
  id: AgentSend['id'];
  modem: string;
  recipient: string;
  parts: number;
  /** Those that are known; fewer than the parts after a lost answer. */
  references: string[];
  delivered: string[];
  /** In milliseconds; nobody reports later. */
  until: number;
}

/** A message that came in, or a part of one. It is over once the server is told of it and the modem has deleted it. */
export interface KeptArrival extends Omit<Arrival, 'at'> {
  modem: string;
  /** Of the SIM that it came to, if it was known. */
  imsi?: string | undefined;
  at: string;
  /** When it was noted, in milliseconds by this machine's clock. */
  keptAt: number;
  /** The id under which the server is told, once all its parts are here. */
  incoming?: string;
  deleted?: true;
}

/** One line of the journal. Each changes the state in the same way when it is made and when it is read. */
export type JournalRecord =
  | { kind: 'take'; send: AgentSend }
  | { kind: 'begin'; id: string }
  | { kind: 'result'; result: HandOverResult }
  | { kind: 'result-stored'; id: string }
  | { kind: 'forget'; id: string }
  | { kind: 'await'; awaited: Awaited }
  | { kind: 'settle'; awaited: Awaited }
  | { kind: 'await-no-more'; id: string }
  | { kind: 'receipt'; receipt: AgentReceipt }
  | { kind: 'receipt-stored'; id: string }
  | { kind: 'arrive'; arrival: KeptArrival }
  | { kind: 'deleted'; key: string }
  | { kind: 'forget-arrival'; key: string }
  | { kind: 'incoming'; incoming: AgentIncoming; keys: string[] }
  | { kind: 'incoming-stored'; id: string };
