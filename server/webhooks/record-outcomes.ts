import { openBatcher } from '../batching/index.ts';
import { type Outcome, writeOutcomes } from './due-store.ts';
import { type Health, storeHealth } from './endpoint-store.ts';
import { type MailKind, requestMail } from './mail-request.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

/** One attempt, and what it means for its endpoint if that changes. */
interface Tried {
  outcome: Outcome;
  health?: (Health & { url: string; holder: string; mail?: MailKind | undefined }) | undefined;
}

const MAX_ITEMS = 500;
const RETRY_MS = 500;

/** Outcomes with their endpoints' state and the mails about it, all or none. */
const write = async ({ db, queue }: Pick<WebhooksDeps, 'db' | 'queue'>, tried: Tried[]): Promise<void> => {
  // For each endpoint only the last state counts, but every mail does.
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

/** Gathers outcomes, and goes on trying while the database is away. */
export const openOutcomes = (deps: Pick<WebhooksDeps, 'db' | 'queue'>, onError: (error: unknown) => void) => {
  const batcher = openBatcher<Tried>({
    flush: (tried) => write(deps, tried),
    maxItems: MAX_ITEMS,
    retry: { isTransient: () => true, delayMs: RETRY_MS },
    onError,
  });
  return {
    /** Resolves once it is written or given up: an event whose outcome is given up will be sent again. */
    add: (tried: Tried): Promise<void> => batcher.add(tried).catch(() => {}),
    /** Gives up what can't be written, for a process that must end. */
    abandon: batcher.abandon,
  };
};
export type Outcomes = ReturnType<typeof openOutcomes>;
