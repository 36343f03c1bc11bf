import { DomainError } from '../../../ground/domain-error.ts';
import type { WalletDeps } from '../wallet-deps.ts';

/** If a provider can't be reached, neither the caller nor this program is at fault: try again later. */
export const reachProvider = async <T>(log: WalletDeps['log'], answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    log.error({ err: error }, 'the card provider did not answer');
    throw new DomainError('E_UNAVAILABLE');
  }
};
