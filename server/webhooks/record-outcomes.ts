import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, writeOutcomes } from './due-store.ts';
import { type Health, storeHealth } from './endpoint-store.ts';
import { type MailKind, requestMail } from './mail-request.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

/** One try with what it means for its endpoint, if that changes. */
export interface Tried {
  outcome: Outcome;
  health?: (Health & { url: string; holder: string; mail?: MailKind | undefined }) | undefined;
}

const MOST = 500;
const RETRY_MS = 500;

/** Outcomes with their endpoints' state and the mails about it, all or none. */
const write = async ({ db, queue }: Pick<WebhooksDeps, 'db' | 'queue'>, tried: Tried[]): Promise<void> => {
  // Of one endpoint only the last state counts, but every mail does.
  const states = new Map(
    tried.flatMap(({ health }) => (health ? [[health.accountId, health] as const] : [])),
  );
  const mails = tried.flatMap(({ health }) => (health?.mail ? [health] : []));
  const outcomes = tried.map(({ outcome }) => outcome);
  if (states.size === 0) return writeOutcomes(db, outcomes);
  await db.transaction().execute(async (trx) => {
    await writeOutcomes(trx, outcomes);
    const stored = new Set<string>();
    for (const [accountId, health] of [...states].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (await storeHealth(trx, health)) stored.add(accountId);
    for (const { accountId, mail } of mails)
      if (mail && stored.has(accountId)) await requestMail(queue, { kind: mail, accountId }, trx);
  });
};

/** One write is under way at most; what arrives meanwhile forms the next. It goes on trying while the database is away. */
export const openOutcomes = (deps: Pick<WebhooksDeps, 'db' | 'queue'>, onError: (error: unknown) => void) => {
  let waiting: { tried: Tried; done: () => void }[] = [];
  let writing = false;
  let abandoned = false;

  const writePersistently = async (tried: Tried[]): Promise<void> => {
    while (!abandoned)
      try {
        return await write(deps, tried);
      } catch (error) {
        onError(error);
        await sleep(RETRY_MS);
      }
  };
  const writeAll = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      const chunk = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      await writePersistently(chunk.map(({ tried }) => tried));
      for (const { done } of chunk) done();
    }
    writing = false;
  };
  return {
    /** Resolves once it is written. */
    add: (tried: Tried): Promise<void> =>
      new Promise((done) => {
        waiting.push({ tried, done });
        void writeAll();
      }),
    /** Gives up what can't be written: for a process that must end. It will be sent again. */
    abandon: (): void => {
      abandoned = true;
    },
  };
};
export type Outcomes = ReturnType<typeof openOutcomes>;
