import type { ReceiptBehaviour, StateName } from './smsc-receipts.ts';

/** What a message centre does; it may be changed while it runs. */
export interface SmscBehaviour {
  /** Before each answer. */
  latencyMs: number;
  /** Unanswered submits per connection: more are throttled. */
  window: number;
  /** Submits per second, over all connections: more are throttled. */
  perSecond: number;
  /** Which share of the submits is throttled, and which is neither taken nor answered. */
  throttled: number;
  forgotten: number;
  /** Sent for the submits that ask for one. */
  receipts: ReceiptBehaviour | undefined;
  /** Does not answer submits, or anything. */
  hang: 'never' | 'submits' | 'everything';
  /** The status with which every bind is answered; 0 is success. */
  bindStatus: number;
  /** Whether the magic numbers work. Off, any number may be written to in a long run. */
  magic: boolean;
  /** Unacknowledged deliveries per connection. */
  deliverWindow: number;
  /** How soon a deferred delivery is sent again. */
  deliverAgainMs: number;
}

export const CALM: SmscBehaviour = {
  latencyMs: 0,
  window: Number.POSITIVE_INFINITY,
  perSecond: Number.POSITIVE_INFINITY,
  throttled: 0,
  forgotten: 0,
  receipts: undefined,
  hang: 'never',
  bindStatus: 0,
  magic: true,
  deliverWindow: 1_000,
  deliverAgainMs: 50,
};

interface Magic {
  status?: number;
  /** Only the first message to this recipient. */
  once?: boolean;
  /** Accepted, but never answered. */
  silent?: boolean;
  /** Accepted, and the connection closes before the answer. */
  drop?: boolean;
  state?: StateName;
  /** The state is that of this part alone. */
  ofPart?: number;
}

/** By the last four digits of the recipient. */
export const MAGIC: Record<string, Magic> = {
  '9001': { status: 0x0b },
  '9002': { status: 0x58 },
  '9003': { status: 0x14 },
  '9004': { status: 0x08 },
  '9005': { silent: true },
  '9006': { drop: true },
  '9007': { state: 'UNDELIV' },
  '9008': { state: 'EXPIRED' },
  '9009': { state: 'REJECTD' },
  '9010': { status: 0x58, once: true },
  '9011': { status: 0x400 },
  '9012': { state: 'UNDELIV', ofPart: 2 },
};
