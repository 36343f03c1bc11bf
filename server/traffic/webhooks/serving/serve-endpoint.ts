import type { AccountId } from '../../../../contract/customer/accounts.ts';
import {
  type Endpoint,
  type Health,
  readEndpoint,
  releaseEndpoint,
  takeEndpoint,
} from '../endpoints/endpoint-store.ts';
import { openSecrets, withSecret } from '../endpoints/secrets.ts';
import type { DueEvent } from '../events/due-event.ts';
import { callOf } from '../events/payload.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import { type CallSizes, isTooLarge } from './call-sizes.ts';
import type { EventBudget } from './event-budget.ts';
import { openEventClaims } from './event-claims.ts';
import { healthAfter, isSuccess, outcomesOf } from './judge-answer.ts';
import type { Outcomes } from './record-outcomes.ts';
import type { RequestSlots } from './request-slots.ts';
import { openRequestWindow, REQUESTS } from './request-window.ts';
import type { RetryTiming } from './retry-policy.ts';
import { signatureHeaders } from './sign.ts';

interface ServeDeps extends WebhooksDeps {
  /** Identifies this process as a holder. */
  holder: string;
  timing: RetryTiming;
  slots: RequestSlots;
  outcomes: Outcomes;
  callSizes: CallSizes;
  budget: EventBudget;
}

/** Calls whose events are read ahead, and events at least, so that requests don't wait for the database. */
const AHEAD = { calls: 2, events: 200 };
/** Chunks and single events in hand, besides those in flight: while the database is slow, no more are read. */
const MOST_CLAIMED = 400;
const USER_AGENT = 'Posthorn-Webhooks/1';

const healthOf = (accountId: AccountId, endpoint: Endpoint): Health => ({
  accountId,
  failures: endpoint.failures,
  failingSince: endpoint.failingSince,
  pausedUntil: endpoint.pausedUntil,
  toldAt: endpoint.toldAt,
  goneAt: endpoint.goneAt,
});

/**
 * Serves one account's endpoint while it has events, by a lease: so a receiver sees one sender, and if a process dies
 * another takes over and sends again what had no outcome yet. It waits only for its own receiver and the database.
 */
export const serveEndpoint = (deps: ServeDeps, accountId: AccountId) => {
  const { db, holder, timing, slots, outcomes, receivers, callSizes, budget } = deps;
  const window = openRequestWindow();
  let inFlight = 0;
  let reading = false;
  /** Whether something may be due that was not read yet. */
  let more = true;
  let held = false;
  let stopping = false;
  let stale = false;
  let signalled = false;
  let onSignal: (() => void) | undefined;

  const signal = (): void => {
    signalled = true;
    onSignal?.();
  };
  const claims = openEventClaims({ db, accountId, outcomes, budget, onChange: signal });
  /** Waits for the next signal, or as long as given; returns whether there was a signal. */
  const waitForSignal = async (timeoutMs: number): Promise<boolean> => {
    if (!signalled)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onSignal = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    onSignal = undefined;
    const answer = signalled;
    signalled = false;
    return answer;
  };

  let endpoint: Endpoint & { secretSealed: Buffer };
  let secrets: string[];
  let health: Health;
  /** A busy endpoint is read only once, so whether the previous secret is still valid is decided at each request. */
  const signing = (): string[] =>
    (endpoint.previousUntil?.getTime() ?? 0) > Date.now() ? secrets : secrets.slice(0, 1);
  const adopt = async (found: Endpoint): Promise<void> => {
    endpoint = await withSecret(deps, accountId, found);
    secrets = openSecrets(deps, accountId, endpoint);
    health = healthOf(accountId, endpoint);
  };
  /** The customer has changed something: the address or the secret, or has resumed the endpoint. */
  const refresh = async (): Promise<boolean> => {
    stale = false;
    const found = await readEndpoint(db, accountId);
    if (!found?.url || found.goneAt) return false;
    await adopt(found);
    return true;
  };

  const deliver = async (events: DueEvent[]): Promise<void> => {
    const { url, eventsPerCall } = endpoint;
    let began = 0;
    const answer = await slots.run(() => {
      const { webhookId, body } = callOf(events, { asArray: eventsPerCall > 1 });
      const timestamp = Math.floor(Date.now() / 1_000);
      began = performance.now();
      const headers = signatureHeaders({ webhookId, timestamp, body, secrets: signing() });
      return receivers.post({
        url,
        body,
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      });
    });
    inFlight -= 1;
    if (isSuccess(answer)) window.answered(performance.now() - began);
    else window.failed();
    // The answers of an earlier address say nothing about the present one.
    const isPresent = url === endpoint.url;
    if (isPresent) callSizes.answered(accountId, answer, { events: events.length, chosen: eventsPerCall });
    const after =
      isPresent && !isTooLarge(answer, events.length) ? healthAfter(health, answer, timing) : undefined;
    if (after) {
      const { mail: _, ...rest } = after;
      health = rest;
    }
    claims.settle(outcomesOf(events, answer, timing), after && { ...after, url, holder });
    signal();
  };

  const callSize = (): number => callSizes.of(accountId, endpoint.eventsPerCall);
  const ahead = (): number => Math.min(budget.share(), Math.max(AHEAD.events, AHEAD.calls * callSize()));

  const readMore = async (): Promise<void> => {
    reading = true;
    more = false;
    try {
      if (await claims.read(ahead())) more = true;
    } finally {
      reading = false;
      signal();
    }
  };

  const isResting = (): boolean =>
    health.goneAt !== null || (health.pausedUntil?.getTime() ?? 0) > Date.now();

  const isIdle = (): boolean => inFlight === 0 && !reading && !more && claims.size() === 0;

  const work = async (): Promise<void> => {
    let broken: unknown;
    while (!stopping && !broken) {
      if (stale && !(await refresh())) return;
      if (isResting()) return;
      while (inFlight < (health.failures > 0 ? 1 : Math.floor(window.size())) && claims.waiting() > 0) {
        inFlight += 1;
        void deliver(claims.take(callSize()));
      }
      if (
        more &&
        !reading &&
        claims.waiting() < ahead() / 2 &&
        claims.inHand() < budget.share() &&
        claims.size() < MOST_CLAIMED + REQUESTS.most * callSize()
      )
        void readMore().catch((error) => {
          broken = error;
        });
      if (!(await waitForSignal(timing.lingerMs)) && isIdle()) return;
    }
    if (broken) throw broken;
  };

  const serve = async (): Promise<void> => {
    const taken = await takeEndpoint(db, accountId, { holder, leaseMs: timing.leaseMs });
    if (!taken) return;
    held = true;
    try {
      await adopt(taken);
      await work();
    } finally {
      // Its state must be stored before another process takes the lease.
      while (inFlight > 0 || reading) await waitForSignal(timing.lingerMs);
      await claims.release(() => waitForSignal(timing.lingerMs));
      await releaseEndpoint(db, { accountId, holder });
    }
  };

  return {
    /** Whether the lease was free. */
    isHeld: () => held,
    /** Whether it believes that nothing is due. */
    isWaiting: () => held && !more && !reading,
    /** Something is due. */
    wake: (): void => {
      more = true;
      signal();
    },
    refresh: (): void => {
      stale = true;
      callSizes.forget(accountId);
      signal();
    },
    stop: (): void => {
      stopping = true;
      signal();
    },
    served: serve(),
  };
};
