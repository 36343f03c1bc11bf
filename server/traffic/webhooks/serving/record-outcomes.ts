import { openBatcher } from '../../../ground/batching/index.ts';
import { type Health, storeHealth } from '../endpoints/endpoint-store.ts';
import { type MailKind, webhookMails } from '../endpoints/webhook-mails.ts';
import { type ChunkOutcome, writeChunkOutcomes } from '../events/chunk-store.ts';
import type { DueChunk, EventOutcome } from '../events/due-event.ts';
import { storeEventOutcomes, writeLeaving } from '../events/due-store.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';

/** What is to be written about some events, a whole chunk, or their endpoint. */
interface Fact {
  outcomes?: EventOutcome[];
  chunk?: ChunkOutcome;
  health?: (Health & { url: string; holder: string; mail?: MailKind | undefined }) | undefined;
}

const MAX_ITEMS = 500;
const RETRY_MS = 500;

const isLeaving = (outcome: EventOutcome): outcome is EventOutcome & { event: { chunk: DueChunk } } =>
  outcome.event.chunk !== undefined;

/** Outcomes with their endpoints' state and the mails about it, all or none. */
const write = async ({ db, queue }: Pick<WebhooksDeps, 'db' | 'queue'>, facts: Fact[]): Promise<void> => {
  // Only the last state of each endpoint is written, but every mail is sent.
  const states = new Map(
    facts.flatMap(({ health }) => (health ? [[health.accountId, health] as const] : [])),
  );
  const mails = facts.flatMap(({ health }) => (health?.mail ? [health] : []));
  const outcomes = facts.flatMap((fact) => fact.outcomes ?? []);
  const chunks = facts.flatMap(({ chunk }) => chunk ?? []);
  if (outcomes.length === 0 && states.size === 0) return writeChunkOutcomes(db, chunks);
  await db.transaction().execute(async (trx) => {
    const leaving = outcomes.filter(isLeaving);
    const others = outcomes.filter((outcome) => !isLeaving(outcome));
    if (leaving.length > 0) await writeLeaving(trx, leaving);
    if (others.length > 0) await storeEventOutcomes(trx, others);
    if (chunks.length > 0) await writeChunkOutcomes(trx, chunks);
    const stored = new Set<string>();
    for (const [accountId, health] of [...states].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (await storeHealth(trx, health)) stored.add(accountId);
    for (const { accountId, mail } of mails)
      if (mail && stored.has(accountId))
        await webhookMails.request({ queue, db: trx }, { kind: mail, accountId });
  });
};

/** Gathers outcomes, and goes on trying while the database is away. */
export const openOutcomes = (deps: Pick<WebhooksDeps, 'db' | 'queue'>, onError: (error: unknown) => void) => {
  const batcher = openBatcher<Fact>({
    flush: (facts) => write(deps, facts),
    maxItems: MAX_ITEMS,
    retry: { isTransient: () => true, delayMs: RETRY_MS },
    onError,
  });
  return {
    /** Resolves once it is written or given up: an event whose outcome is given up will be sent again. */
    add: (fact: Fact): Promise<void> => batcher.add(fact).catch(() => {}),
    /** Gives up what can't be written, for a process that must end. */
    abandon: batcher.abandon,
  };
};
export type Outcomes = ReturnType<typeof openOutcomes>;
