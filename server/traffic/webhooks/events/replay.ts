import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import {
  type EventFilter,
  type EventId,
  eventFilter,
  eventId,
} from '../../../../contract/traffic/webhooks.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { resumeEndpoint } from '../endpoints/endpoint-store.ts';
import { requireEndpoint } from '../endpoints/send-test.ts';
import type { WebhookRouteDeps } from '../webhooks-deps.ts';
import { listEvents } from './event-store.ts';
import { countReplayable, replayEvent, replayEvents } from './replay-store.ts';

export const REPLAY = 'webhooks.replay';

export const replayRequest = z.object({
  accountId: z.custom<AccountId>((value) => typeof value === 'string'),
  timeZone: z.string(),
  filter: eventFilter,
  /** The newest event at the time of the request: later ones are not sent twice. */
  newest: eventId,
});
type ReplayRequest = z.infer<typeof replayRequest>;

/** More are sent, but not counted. */
export const MOST_COUNTED = 10_000;
const AT_ONCE = 2_000;

/** Also to a paused endpoint: a customer who replays believes that it works again. */
export const replayOne = async (
  deps: Pick<WebhookRouteDeps, 'db'>,
  event: { accountId: AccountId; eventId: EventId },
): Promise<void> => {
  await requireEndpoint(deps, event.accountId);
  if (!(await replayEvent(deps.db, event))) throw new DomainError('E_NOT_FOUND');
  await resumeEndpoint(deps.db, event.accountId);
};

/** Requests a replay of all of them; returns how many those are, counted up to the limit plus one. */
export const replayAll = async (
  deps: Pick<WebhookRouteDeps, 'db' | 'queue'>,
  { accountId, timeZone, filter }: { accountId: AccountId; timeZone: string; filter: EventFilter },
): Promise<number> => {
  await requireEndpoint(deps, accountId);
  const query = { accountId, timeZone, ...filter };
  const [newest] = await listEvents(deps.db, query, 1);
  const count = newest ? await countReplayable(deps.db, query, MOST_COUNTED + 1) : 0;
  if (newest && count > 0) {
    await deps.queue.send(REPLAY, { accountId, timeZone, filter, newest: newest.id } satisfies ReplayRequest);
    await resumeEndpoint(deps.db, accountId);
  }
  return count;
};

/** An interrupted run starts again: an event may then arrive once more, as always. */
export const runReplay = (
  db: Db,
  { filter, newest, ...whose }: ReplayRequest,
  signal: AbortSignal,
): Promise<void> => replayEvents(db, { ...whose, ...filter, newest }, { limit: AT_ONCE, signal });
