import { type Balance, readBalance } from './modems/read-balance.ts';
import type { ServedModem } from './modems/serve-modem.ts';

interface BalancesOptions {
  served: ServedModem[];
  log: (line: string) => void;
  changed: () => void;
}

/** What the SIMs tell of their balances. */
export const openBalances = ({ served, log, changed }: BalancesOptions) => {
  const told = new Map<string, Balance>();
  return {
    of: (name: string): Balance | undefined => told.get(name),
    ask: async (balanceCode: string | undefined): Promise<void> => {
      if (!balanceCode) return;
      for (const { name, modem } of served) {
        if (!modem.state().up) continue;
        try {
          told.set(name, readBalance(await modem.ask(balanceCode)));
        } catch (error) {
          log(`${name} did not tell its balance: ${(error as Error).message}`);
        }
      }
      changed();
    },
  };
};
