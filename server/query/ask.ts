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

interface Running {
  controller: AbortController;
  /** Resolves once its end was seen, or it is known to go on. */
  over: Promise<void>;
}

export type Turn =
  | { kind: 'turn'; signal: AbortSignal; end: () => void }
  /** Taken by a statement that goes on in the database although its end was told. */
  | { kind: 'taken'; since: Date };

/** One running query for each asker: the newer cancels the older, and waits until that has ended. */
export const openTurns = () => {
  const running = new Map<string, Running>();
  const taken = new Map<string, Set<Date>>();
  return {
    begin: async ({ accountId, hungUp }: Pick<Asker, 'accountId' | 'hungUp'>): Promise<Turn> => {
      const key = accountId ?? '';
      const former = running.get(key);
      former?.controller.abort();
      const controller = new AbortController();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const own: Running = { controller, over };
      running.set(key, own);
      const leave = () => controller.abort();
      hungUp.addEventListener('abort', leave, { once: true });
      if (hungUp.aborted) leave();
      const end = () => {
        hungUp.removeEventListener('abort', leave);
        if (running.get(key) === own) running.delete(key);
        // After the failure of one of several statements: the others.
        controller.abort();
        resolve();
      };
      await former?.over;
      const [since] = taken.get(key) ?? [];
      if (since === undefined) return { kind: 'turn', signal: controller.signal, end };
      end();
      return { kind: 'taken', since };
    },
    /** Nobody's turn begins for this asker before it is gone. */
    take: (accountId: AccountId | undefined, { since, gone }: { since: Date; gone: Promise<void> }): void => {
      const key = accountId ?? '';
      const own = taken.get(key) ?? new Set();
      taken.set(key, own.add(since));
      void gone.then(() => {
        own.delete(since);
        if (own.size === 0) taken.delete(key);
      });
    },
    cancel: (accountId: AccountId | undefined): boolean => {
      const found = running.get(accountId ?? '');
      found?.controller.abort();
      return found !== undefined;
    },
    cancelAll: (): void => {
      for (const { controller } of running.values()) controller.abort();
    },
  };
};

export type Turns = ReturnType<typeof openTurns>;
