import type { Carrier } from '../../traffic/lanes/index.ts';
import { senderAddress } from './address.ts';
import type { Bind } from './bind.ts';
import { STATE_NAMES } from './read-receipt.ts';
import type { SmppOptions } from './smpp-options.ts';

type Asked = Parameters<NonNullable<Carrier['ask']>>[0];

/**
 * It can be asked only by its own id, and of a message in doubt it gave one for a part at most: what became of that part
 * is told, and decides nothing.
 */
export const askCentre = async (
  { providerMessageId, from }: Asked,
  bind: Bind | undefined,
  { addressing }: SmppOptions,
) => {
  const unknown = (said: string) => ({ state: 'unknown' as const, code: '', said });
  if (providerMessageId === null) return unknown('The message centre gave no id that it could be asked by.');
  if (!bind) return unknown('There is no connection to the message centre.');
  const source = senderAddress(from, addressing) ?? { ton: 0, npi: 0, digits: '' };
  const answer = await bind.query(providerMessageId, source);
  if (typeof answer === 'string') return unknown(answer);
  const state = STATE_NAMES[answer.state] ?? String(answer.state);
  return unknown(`Of a part that it took it says ${state}${answer.error ? `:${answer.error}` : ''}.`);
};
