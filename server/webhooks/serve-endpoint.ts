import type { AccountId } from '../../contract/accounts.ts';
import type { EventId } from '../../contract/webhooks.ts';
import { type DueEvent, readDueEvents } from './due-store.ts';
import { type Endpoint, type Health, readEndpoint, releaseEndpoint, takeEndpoint } from './endpoint-store.ts';
import { healthAfter, outcomeOf } from './judge-answer.ts';
import { payloadOf } from './payload.ts';
import type { Outcomes } from './record-outcomes.ts';
import type { Timing } from './retry-policy.ts';
import { openSecrets, withSecret } from './secrets.ts';
import { signatureHeaders, webhookIdOf } from './sign.ts';
import type { Slots } from './slots.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

interface ServeDeps extends WebhooksDeps {
  /** Identifies this process as a holder. */
  holder: string;
  timing: Timing;
  slots: Slots;
  outcomes: Outcomes;
}

/** Concurrent requests to one receiver; one while it fails. */
const AT_ONCE = 4;
const READ_AT_ONCE = 16;
/** In flight, or answered but not stored yet: this many may be sent twice if the process dies. */
const MOST_UNWRITTEN = 32;
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
  const { db, holder, timing, slots, outcomes, receivers } = deps;
  const isClaimed = new Set<EventId>();
  let flying = 0;
  let read: DueEvent[] = [];
  let place: DueEvent | undefined;
  let held = false;
  let stopping = false;
  let stale = false;
  let rung = false;
  let hear: (() => void) | undefined;

  const wake = (): void => {
    rung = true;
    hear?.();
  };
  /** Waits for the next signal, or as long as given; returns whether there was a signal. */
  const heard = async (timeoutMs: number): Promise<boolean> => {
    if (!rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        hear = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    hear = undefined;
    const answer = rung;
    rung = false;
    return answer;
  };

  let endpoint: Endpoint & { secretSealed: Buffer };
  let secrets: string[];
  let health: Health;
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

  const deliver = async (event: DueEvent): Promise<void> => {
    const { url } = endpoint;
    const body = payloadOf(event);
    const answer = await slots.run(() => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const headers = signatureHeaders({ webhookId: webhookIdOf(event.id), timestamp, body, secrets });
      return receivers.post({
        url,
        body,
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      });
    });
    flying -= 1;
    // The answers of an earlier address say nothing about the present one.
    const after = url === endpoint.url ? healthAfter(health, answer, timing) : undefined;
    if (after) {
      const { mail: _, ...rest } = after;
      health = rest;
    }
    const written = outcomes.add({
      outcome: outcomeOf(event, answer, timing),
      health: after && { ...after, url, holder },
    });
    wake();
    await written;
    isClaimed.delete(event.id);
    wake();
  };

  const readMore = async (): Promise<void> => {
    const ask = (after: DueEvent | undefined) =>
      readDueEvents(db, { accountId, after, isClaimed: [...isClaimed], limit: READ_AT_ONCE });
    read = await ask(place);
    // At the end it starts from the beginning: events that are due by now are before the current place.
    if (read.length === 0 && place) read = await ask(undefined);
    place = read.at(-1);
  };

  const isResting = (): boolean =>
    health.goneAt !== null || (health.pausedUntil?.getTime() ?? 0) > Date.now();

  const work = async (): Promise<void> => {
    while (!stopping) {
      if (stale && !(await refresh())) return;
      if (isResting()) return;
      if (flying >= (health.failures > 0 ? 1 : AT_ONCE) || isClaimed.size >= MOST_UNWRITTEN) {
        await heard(timing.lingerMs);
        continue;
      }
      if (read.length === 0) await readMore();
      const event = read.shift();
      if (event) {
        isClaimed.add(event.id);
        flying += 1;
        void deliver(event);
      } else if (!(await heard(timing.lingerMs)) && isClaimed.size === 0) return;
    }
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
      while (isClaimed.size > 0) await heard(timing.lingerMs);
      await releaseEndpoint(db, { accountId, holder });
    }
  };

  return {
    /** Whether the lease was free. */
    isHeld: () => held,
    wake,
    refresh: (): void => {
      stale = true;
      wake();
    },
    stop: (): void => {
      stopping = true;
      wake();
    },
    served: serve(),
  };
};
