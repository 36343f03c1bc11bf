import type { CarrierEvents } from '../../traffic/lanes/index.ts';
import { type Bind, type BindEvents, keepBound } from './bind.ts';
import type { SmppOptions } from './smpp-options.ts';

interface BindsEvents extends Omit<BindEvents, 'changed'> {
  /** None of them is up. */
  away: () => void;
  state: CarrierEvents['state'];
}

/** All binds of a lane: it is connected as long as one of them is up. Remembered: what was told last of that. */
export const openBinds = (options: SmppOptions, { away, state, ...events }: BindsEvents) => {
  let binds: Bind[] = [];
  let told = { up: false, reason: '' };

  const isConnected = (): boolean => binds.some((bind) => bind.isUp());
  const changed = (reason: string): void => {
    const up = isConnected();
    if (!up) away();
    // While it is down each new reason is reported, because it says what to repair.
    if (up === told.up && (up || reason === told.reason)) return;
    told = { up, reason };
    state(told);
  };
  return {
    all: (): readonly Bind[] => binds,
    isConnected,
    oneUp: (): Bind | undefined => binds.find((bind) => bind.isUp()),
    overdue: (): number => binds.reduce((sum, bind) => sum + bind.overdue(), 0),
    open: async (): Promise<void> => {
      binds = Array.from({ length: options.binds }, () => keepBound(options, { changed, ...events }));
      await Promise.all(binds.map((bind) => bind.open()));
    },
    close: async (timeoutMs: number): Promise<void> => {
      await Promise.all(binds.map((bind) => bind.close(timeoutMs)));
    },
  };
};
