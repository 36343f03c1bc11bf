import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';

/** Who asks the service, and in which language the answer is read. */
export interface Asker {
  /** Undefined: another program, which has the service's key. */
  accountId: AccountId | undefined;
  /** Of an admin's call: its entry of the audit log. */
  entryId?: string | undefined;
  language: Language;
  /** Aborted if the asker leaves: the query is then cancelled. */
  hungUp: AbortSignal;
}

/** One running query for each asker: the newer cancels the older. */
export const openTurns = () => {
  const running = new Map<string, AbortController>();
  return {
    begin: ({ accountId, hungUp }: Asker): { signal: AbortSignal; end: () => void } => {
      const key = accountId ?? '';
      running.get(key)?.abort();
      const controller = new AbortController();
      running.set(key, controller);
      const leave = () => controller.abort();
      hungUp.addEventListener('abort', leave, { once: true });
      if (hungUp.aborted) leave();
      return {
        signal: controller.signal,
        end: () => {
          hungUp.removeEventListener('abort', leave);
          if (running.get(key) === controller) running.delete(key);
          // After the failure of one of several statements: the others.
          controller.abort();
        },
      };
    },
    cancel: (accountId: AccountId | undefined): boolean => {
      const found = running.get(accountId ?? '');
      found?.abort();
      return found !== undefined;
    },
    cancelAll: (): void => {
      for (const controller of running.values()) controller.abort();
    },
  };
};
