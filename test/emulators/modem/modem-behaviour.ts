/**
 * How a modem fails: `busy` and `no-network` before it takes a message, `cms-NN` with that error. `lost-answer` takes
 * the message and never answers; `late-error` takes it and says that the network was slow.
 */
export type Fault = 'busy' | 'no-network' | 'lost-answer' | 'late-error' | `cms-${number}`;

export interface ModemBehaviour {
  /** Until the network takes a part. */
  latencyMs: number;
  /** Without it there are no status reports. */
  receipts: {
    delayMs: number;
    twice?: boolean;
    /** TP-Status; 0 is delivered. */
    status?: number;
  } | null;
  /** It does not tell status reports directly: it stores them, with messages or apart, and announces them. */
  reportMemory: 'SM' | 'SR' | null;
  registered: boolean;
  /** It gives no prompt for a message. */
  silent: boolean;
  /** 0 to 31. */
  rssi: number;
  /** By recipient. */
  faults: Record<string, Fault>;
  /** How likely a fault is, from 0 to 1. */
  rates: Partial<Record<Fault, number>>;
  /** Answers to USSD codes. */
  ussd: Record<string, string>;
  /** Messages that fit into its store. */
  capacity: number;
}

export const USUAL_BEHAVIOUR: ModemBehaviour = {
  latencyMs: 0,
  receipts: null,
  reportMemory: null,
  registered: true,
  silent: false,
  rssi: 20,
  faults: {},
  rates: {},
  ussd: { '*101#': 'Balance: HKD 48.50. Valid until 2027-03-31.' },
  capacity: 255,
};

/** The number of the +CMS ERROR with which the modem refuses; undefined for faults after it took the message. */
export const refusalOf = (fault: Fault): number | undefined => {
  if (fault === 'busy') return 314;
  if (fault === 'no-network') return 331;
  return fault.startsWith('cms-') ? Number(fault.slice(4)) : undefined;
};

export const chooseFault = ({ faults, rates }: ModemBehaviour, recipient: string): Fault | undefined => {
  const named = faults[recipient];
  if (named) return named;
  let left = Math.random();
  for (const [fault, rate] of Object.entries(rates)) {
    left -= rate ?? 0;
    if (left < 0) return fault as Fault;
  }
  return undefined;
};
