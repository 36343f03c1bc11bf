import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';

/** Who asks the service, and in which language the answer is read. */
export interface Asker {
  /** Undefined: another program, which has the service's key. */
  accountId: AccountId | undefined;
  /** Of an admin's call: its entry of the audit log. */
  entryId?: string | undefined;
  language: Language;
  /** Aborted if the asker leaves, or cancels it: the query is then cancelled. */
  hungUp: AbortSignal;
}

interface Running {
  controller: AbortController;
  /** Resolves once its end was seen, or it is known to go on. */
  over: Promise<unknown>;
}

export type Turn =
  | { kind: 'turn'; signal: AbortSignal; end: () => void }
  /** Taken by a statement that goes on in the database although its end was told. */
  | { kind: 'taken'; since: Date };

/** One running query for each asker: the newer cancels the older, and waits until that has ended. */
export const limitAskers = () => {
  const running = new Map<string, Running>();
  const taken = new Map<string, Set<Date>>();
  return {
    begin: async ({ accountId, hungUp }: Pick<Asker, 'accountId' | 'hungUp'>): Promise<Turn> => {
      const key = accountId ?? '';
      const former = running.get(key);
      former?.controller.abort();
      const controller = new AbortController();
      const { signal } = controller;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const left = new Promise<void>((leave) => signal.addEventListener('abort', () => leave()));
      const own: Running = { controller, over: Promise.all([former?.over, ended]) };
      running.set(key, own);
      void own.over.then(() => running.get(key) === own && running.delete(key));
      const leave = () => controller.abort();
      hungUp.addEventListener('abort', leave, { once: true });
      if (hungUp.aborted) leave();
      const end = () => {
        hungUp.removeEventListener('abort', leave);
        // After the failure of one of several statements: the others.
        controller.abort();
        resolve();
      };
      // Who has left meanwhile does not wait until the older one has ended; whoever comes next does.
      await Promise.race([former?.over, left]);
      const [since] = taken.get(key) ?? [];
      if (since === undefined || signal.aborted) return { kind: 'turn', signal, end };
      end();
      return { kind: 'taken', since };
    },
    /** The asker gets no other turn before this statement is gone. */
    take: (accountId: AccountId | undefined, { since, gone }: { since: Date; gone: Promise<void> }): void => {
      const key = accountId ?? '';
      const own = taken.get(key) ?? new Set();
      taken.set(key, own.add(since));
      void gone.then(() => {
        own.delete(since);
        if (own.size === 0) taken.delete(key);
      });
    },
  };
};

export type Turns = ReturnType<typeof limitAskers>;
