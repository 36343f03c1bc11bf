import type { Concatenation } from '../pdu/read-pdu.ts';

/** A message for a modem. */
export interface ModemMessage {
  /** Of the hand-over. */
  id: string;
  recipient: string;
  text: string;
  validityMinutes: number;
  receipt: boolean;
  /** A process before this one may have given it to the modem already; only to drivers that are idempotent. */
  again: boolean;
  /** The message has expired: the modem is only asked what became of it. Only together with `again`. */
  expired: boolean;
}

/**
 * What came of it. `sent`: the network took every part. `refused`: certainly nothing was sent. `unknown`: nobody can
 * tell, or only some of the parts were sent. The references are those of the parts that the network took.
 */
export interface ModemOutcome {
  outcome: 'sent' | 'refused' | 'unknown';
  references: string[];
  /** How many parts the message has. */
  parts: number;
  code: string;
  reason: string;
  retryable: boolean;
}

/** The network's word on a part, or on a whole message where the far end has one reference for it. */
export interface DeliveryReport {
  reference: string;
  /** Undefined where the far end does not repeat it: then the reference alone is unique. */
  recipient: string | undefined;
  state: 'delivered' | 'enroute' | 'failed';
  code: string;
  at: Date;
}

/** A message that came in, or a part of one. */
export interface Arrival {
  /** The same whenever this very arrival is read again, and different for any other. */
  key: string;
  from: string;
  text: string;
  at: Date;
  concatenation: Concatenation | undefined;
}

/** What a modem reports. These return once it is on the disk: only then may the modem forget it. */
export interface ModemEvents {
  report: (report: DeliveryReport) => void;
  arrived: (arrival: Arrival) => void;
  /** The modem has deleted the arrival: it will not be read again. */
  deleted: (key: string) => void;
  /** Its state is another than before. */
  changed: () => void;
}

export interface ModemState {
  /** Whether it can send now. */
  up: boolean;
  reason?: string | undefined;
  imsi?: string | undefined;
  number?: string | undefined;
  /** 0 to 100. */
  signal?: number | undefined;
  network?: string | undefined;
}

/** The port of all drivers. */
export interface Modem {
  driver: 'serial' | 'gammu' | 'android';
  /**
   * Whether a message that is given twice under one id is sent once. After a crash such a message is given again;
   * otherwise it is reported as unknown.
   */
  idempotent: boolean;
  /** Begins to serve it, and goes on trying while it is away. */
  open: (events: ModemEvents) => Promise<void>;
  state: () => ModemState;
  /** One at a time. Never throws. */
  send: (message: ModemMessage) => Promise<ModemOutcome>;
  /** The network's answer to a USSD code. */
  ask: (code: string) => Promise<string>;
  /** Lets what is being sent end. */
  close: () => Promise<void>;
}

const outcome = (rest: Partial<ModemOutcome> & Pick<ModemOutcome, 'outcome' | 'parts'>): ModemOutcome => ({
  references: [],
  code: '',
  reason: '',
  retryable: false,
  ...rest,
});

export const sent = (references: string[], parts = references.length): ModemOutcome =>
  outcome({ outcome: 'sent', references, parts });

export const unknown = (rest: Partial<ModemOutcome> & { parts: number }): ModemOutcome =>
  outcome({ outcome: 'unknown', ...rest });

export const refusedOutcome = (rest: Partial<ModemOutcome> & { parts: number; code: string }): ModemOutcome =>
  outcome({ outcome: 'refused', retryable: true, ...rest });

/** It was not given to the modem before its `until`. */
export const tooLate = (): ModemOutcome =>
  refusedOutcome({ parts: 1, code: 'EXPIRED', reason: 'It waited beyond its time at the agent.' });
