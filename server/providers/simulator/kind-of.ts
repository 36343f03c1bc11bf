import type { SIMULATED_RECIPIENTS, SimulatedKind } from '../../../contract/traffic/simulator.ts';

/** How the recipient behaves, by the table of contract/traffic/simulator.ts. */
export const kindOf = (table: typeof SIMULATED_RECIPIENTS, recipient: string): SimulatedKind => {
  const [local, domain] = recipient.toLowerCase().split('@');
  if (domain === undefined)
    return table.find(({ digits }) => recipient.endsWith(digits))?.kind ?? 'delivered';
  const tag = local?.split('+').at(-1);
  return table.find(({ kind }) => kind === tag)?.kind ?? 'delivered';
};
