interface Stored {
  hex: string;
  read: boolean;
}

/** What programs set, and what lies in the store. It outlives the programs, as a modem does. */
export interface ModemMemory {
  echo: boolean;
  numericErrors: boolean;
  /** Of AT+CREG: 2 tells the place too. */
  registrationMode: number;
  /** Of AT+COPS: 2 tells the network by its number. */
  networkFormat: number;
  /** Of AT+CNMI: new messages are announced (1), reports come directly (1) or are stored (2). */
  announce: number;
  reports: number;
  /** AT+CSMS=1: a report that came directly has to be acknowledged. */
  acknowledged: boolean;
  /** Of AT+CPMS: which store programs read. */
  chosen: 'SM' | 'SR';
  stores: Record<'SM' | 'SR', Map<number, Stored>>;
}

export const newMemory = (): ModemMemory => ({
  echo: true,
  numericErrors: true,
  registrationMode: 0,
  networkFormat: 0,
  announce: 0,
  reports: 0,
  acknowledged: false,
  chosen: 'SM',
  stores: { SM: new Map(), SR: new Map() },
});
