import { DomainError } from '../domain-error.ts';
import type { WalletDeps } from './wallet-deps.ts';

/** A provider that can't be reached is no fault of the caller's, nor of ours: try again later. */
export const reachProvider = async <T>(log: WalletDeps['log'], answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    log.error({ err: error }, 'the card provider did not answer');
    throw new DomainError('E_UNAVAILABLE');
  }
};
