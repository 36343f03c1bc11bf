import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { ReceiverAnswer } from '../receivers.ts';

/** The receiver refuses a body of this length: a shorter one is sent at once. */
export const isTooLarge = ({ status }: ReceiverAnswer, events: number): boolean =>
  status === 413 && events > 1;

/**
 * How many events a call to each receiver has: as many as its owner chose, or fewer after it refused an array as too
 * large or had no answer in time. After a timeout calls grow again; an array that was too large stays so.
 */
export const openCallSizes = () => {
  const reduced = new Map<AccountId, { size: number; fixed: boolean }>();
  return {
    of: (accountId: AccountId, chosen: number): number =>
      Math.min(chosen, reduced.get(accountId)?.size ?? chosen),
    answered: (
      accountId: AccountId,
      answer: ReceiverAnswer,
      { events, chosen }: { events: number; chosen: number },
    ) => {
      const before = reduced.get(accountId);
      if (isTooLarge(answer, events)) reduced.set(accountId, { size: Math.ceil(events / 2), fixed: true });
      else if (answer.fault === 'TIMEOUT' && events > 1)
        reduced.set(accountId, { size: Math.ceil(events / 2), fixed: before?.fixed ?? false });
      else if (answer.status !== null && before && !before.fixed && events >= before.size)
        if (before.size * 2 >= chosen) reduced.delete(accountId);
        else reduced.set(accountId, { ...before, size: before.size * 2 });
    },
    /** The owner has changed something. */
    forget: (accountId: AccountId): void => void reduced.delete(accountId),
  };
};
export type CallSizes = ReturnType<typeof openCallSizes>;
