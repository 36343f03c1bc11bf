import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { renewEndpoints } from '../endpoints/endpoint-store.ts';
import { findDueAccounts, findDueOf } from '../events/due-store.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import { openCallSizes } from './call-sizes.ts';
import { openEventBudget } from './event-budget.ts';
import type { Notices } from './notices.ts';
import { openOutcomes } from './record-outcomes.ts';
import { openRequestSlots, type RequestSlotsOptions } from './request-slots.ts';
import { RETRY_TIMING, type RetryTiming } from './retry-policy.ts';
import { serveEndpoint } from './serve-endpoint.ts';

interface WebhooksOptions extends WebhooksDeps {
  notices: Notices;
  log: { warn: (facts: object, text: string) => void };
  timing?: Partial<RetryTiming>;
  slots?: Partial<RequestSlotsOptions>;
  /** Events in memory, of all endpoints. */
  mostEvents?: number;
}

/** Endpoints served at the same time; the others wait. */
const MOST_ENDPOINTS = 2_000;
/** Each takes about two kilobytes of memory, the body of its call included. */
const MOST_EVENTS = 40_000;
const SLOTS: RequestSlotsOptions = { young: 256, youngMs: 1_000, most: 4_000 };

/** Sends events to customers' systems in this process; any number of processes may do so concurrently. */
export const runWebhooks = ({
  notices,
  log,
  timing: given,
  slots,
  mostEvents = MOST_EVENTS,
  ...deps
}: WebhooksOptions) => {
  const timing = { ...RETRY_TIMING, ...given };
  const holder = randomUUID();
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'what a receiver answered was not stored');
  const outcomes = openOutcomes(deps, onError);
  const shared = {
    ...deps,
    holder,
    timing,
    outcomes,
    slots: openRequestSlots({ ...SLOTS, ...slots }),
    callSizes: openCallSizes(),
    budget: openEventBudget(mostEvents),
  };
  const served = new Map<AccountId, ReturnType<typeof serveEndpoint>>();
  /** Another process serves them, or they are paused; they are not tried again at every notification. */
  const others = new Set<AccountId>();
  const stopped = new AbortController();

  const serve = (accountId: AccountId): void => {
    if (stopped.signal.aborted || served.has(accountId) || served.size >= MOST_ENDPOINTS) return;
    const one = serveEndpoint(shared, accountId);
    served.set(accountId, one);
    void one.served
      .catch((error) => log.warn({ err: error, accountId }, 'an endpoint was not served'))
      .finally(() => {
        served.delete(accountId);
        if (!one.isHeld()) others.add(accountId);
      });
  };
  const forget = notices.hear(({ kind, accountId }) => {
    const one = served.get(accountId);
    if (kind === 'endpoint') {
      others.delete(accountId);
      one?.refresh();
    } else one?.wake();
    if (!one && !others.has(accountId)) serve(accountId);
  });

  const rounds = async (everyMs: number, round: () => Promise<void>): Promise<void> => {
    while (!stopped.signal.aborted) {
      await round().catch((error) => log.warn({ err: error }, 'events wait for the database'));
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const looking = rounds(timing.pollMs, async () => {
    others.clear();
    for (const accountId of await findDueAccounts(deps.db, MOST_ENDPOINTS)) serve(accountId);
  });
  // Whoever publishes notifies only of endpoints that nobody serves.
  const watching = rounds(timing.watchMs, async () => {
    const waiting = [...served].filter(([, one]) => one.isWaiting()).map(([accountId]) => accountId);
    if (waiting.length === 0) return;
    for (const accountId of await findDueOf(deps.db, waiting)) served.get(accountId)?.wake();
  });
  const renewing = rounds(timing.leaseMs / 3, async () => {
    const before = [...served].filter(([, one]) => one.isHeld());
    if (before.length === 0) return;
    const ours = await renewEndpoints(deps.db, { holder, leaseMs: timing.leaseMs });
    // A lease that expired while this process was suspended now belongs to another.
    for (const [accountId, one] of before) if (!ours.has(accountId)) one.stop();
  });

  return {
    /** Takes nothing more and lets requests in flight finish, up to the given time. */
    stop: async (timeoutMs: number): Promise<void> => {
      forget();
      stopped.abort();
      const all = [...served.values()];
      for (const { stop } of all) stop();
      const timer = setTimeout(outcomes.abandon, timeoutMs);
      await Promise.race([
        Promise.allSettled(all.map((one) => one.served)),
        sleep(timeoutMs + 1_000, undefined, { ref: false }),
      ]);
      clearTimeout(timer);
      await Promise.all([looking, watching, renewing]);
    },
  };
};
