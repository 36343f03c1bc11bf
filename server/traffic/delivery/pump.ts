import { setTimeout as sleep } from 'node:timers/promises';
import type { ServableLane } from '../lanes/index.ts';
import {
  type Claim,
  type Claimed,
  clearGone,
  openClaims,
  putBack,
  putBackStrays,
  type Taken,
} from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { type HandOverOptions, openHandOver } from './hand-over.ts';
import type { WakeSignal } from './wake-signal.ts';

interface PumpOptions extends HandOverOptions {
  lane: Pick<ServableLane, 'id' | 'name'>;
  holder: string;
  /** Signals that something waits. */
  wakeSignal: WakeSignal;
}

/** Messages; each has left a chunk or a part of one behind. */
const CLEARED_AFTER = 20_000;
/** A claim may be committed long after we gave it up. */
const STRAYS_MS = 60_000;
/** A lane without work waits for a signal. */
const IDLE_MS = 2 ** 31 - 1;

/** Moves messages from the lane to its carrier: claims them, commits, and lets them be handed over. */
export const openPump = (deps: DeliveryDeps, { lane, holder, wakeSignal, ...options }: PumpOptions) => {
  const { db, log, timing } = deps;
  const { throttle } = options;
  /** Being put back: they may be in a chunk already, and we must not send them. */
  let returning: Claimed[] = [];
  /** Our claims that are not completely settled. */
  const unfinished = new Set<Claim>();
  let over = false;
  const claims = openClaims(db, { laneId: lane.id, holder });
  /** More waits than the last claim took. */
  let more = false;
  /** Otherwise the next claim is at this time. */
  let askAt = Number.POSITIVE_INFINITY;
  /** A wake signal said that something new waits, and we have not claimed singles since. */
  let woken = false;
  /** A wake signal said that not only singles wait, and we have not claimed others since. */
  let fresh = false;
  /** Since the last vacuum. */
  let taken = 0;
  let clearing = false;
  /** A claim failed, and it is not known whether it was committed; or one was left without a message. */
  let strays = false;
  /** After a failed claim: when to look for it once more. */
  let straysAt = Number.POSITIVE_INFINITY;

  /**
   * Claims of which some were given back while others had no result. If the last of both is written at the same moment,
   * neither write takes itself for the last, and the claim is left without a message.
   */
  const parted = new Set<Claim>();

  const forget = (claim: Claim): void => {
    if (claim.open > 0) return;
    unfinished.delete(claim);
    if (!parted.delete(claim)) return;
    strays = true;
    wakeSignal.signal();
  };

  const handOver = openHandOver(deps, options, {
    onAnswer: () => {
      if ((more || woken || claims.urgentLeft()) && isLow()) wakeSignal.signal();
    },
    onStored: ({ claim }) => forget(claim),
    onRoom: wakeSignal.signal,
  });
  const { mayGo, isLow, claimSize, urgentRoom } = handOver;
  const hasClaimed = (): boolean => handOver.hasAny() || returning.length > 0;

  const giveBackStrays = async (): Promise<void> => {
    await putBackStrays(db, { laneId: lane.id, holder, claimIds: [...unfinished].map(({ id }) => id) });
    claims.lookAnew();
    strays = false;
    if (Date.now() >= straysAt) straysAt = Number.POSITIVE_INFINITY;
  };

  /** A process that claims much vacuums. */
  const clear = (count: number): void => {
    taken += count;
    if (taken < CLEARED_AFTER || clearing) return;
    taken = 0;
    clearing = true;
    clearGone(db)
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'what is gone was not cleared away'))
      .finally(() => {
        clearing = false;
      });
  };

  const claim = async (take: () => Promise<Taken>): Promise<Taken> => {
    let got: Taken;
    try {
      got = await take();
    } catch (error) {
      strays = true;
      straysAt = Date.now() + STRAYS_MS;
      fresh = true;
      throw error;
    }
    const { claimed } = got;
    for (const { claim } of claimed) unfinished.add(claim);
    clear(claimed.length);
    handOver.add(claimed);
    return got;
  };

  const mayHaveMore = (): boolean => isLow() && (more || fresh || claims.urgentLeft() || Date.now() >= askAt);

  const claimUrgent = (limit: number): Promise<Taken> =>
    claim(async () => ({ claimed: await claims.takeUrgent(limit), againInMs: 0 }));

  const claimNext = async (): Promise<void> => {
    if (claims.urgentLeft()) return void (await claimUrgent(claimSize()));
    fresh = false;
    const { againInMs } = await claim(() => claims.take(claimSize()));
    more = againInMs === 0;
    askAt = Date.now() + againInMs;
  };

  const mayClaimWoken = (): boolean => woken && claims.urgentInMs() === 0 && urgentRoom() > 0;

  /** New singles are claimed first; whatever else woke us comes after them. */
  const claimWoken = async (): Promise<void> => {
    woken = false;
    await claimUrgent(urgentRoom());
  };

  const giveBack = async (messages: Claimed[]): Promise<void> => {
    returning = returning.concat(messages);
    if (returning.length === 0) return;
    for (const [claim, { length }] of Map.groupBy(returning, (message) => message.claim))
      if (claim.open > length) parted.add(claim);
    await putBack(db, holder, returning);
    claims.lookAnew();
    fresh = true;
    for (const { claim } of returning) {
      claim.open -= 1;
      forget(claim);
    }
    returning = [];
  };

  const step = async (): Promise<void> => {
    await giveBack(handOver.takeLate());
    if (strays || Date.now() >= straysAt) await giveBackStrays();
    if (!mayGo()) return;
    handOver.go();
    handOver.measure();
    if (mayClaimWoken()) await claimWoken();
    else if (mayHaveMore() && claims.restMs() === 0) await claimNext();
  };

  const idleMs = (): number => {
    const now = Date.now();
    // With nothing claimed, only a signal can change something: the worker looks for work of all its lanes at once.
    const longestMs = Math.min(
      hasClaimed() ? timing.pollMs : Math.min(IDLE_MS, straysAt - now),
      throttle.room(now) > 0 ? IDLE_MS : Math.max(1, throttle.freeAt(now) - now),
    );
    if (handOver.pausedUntil() > now) return Math.min(handOver.pausedUntil() - now + 1, timing.pollMs);
    if (!mayGo()) return Math.max(1, longestMs);
    return Math.max(
      1,
      Math.min(
        longestMs,
        woken && urgentRoom() > 0 ? claims.urgentInMs() : longestMs,
        isLow()
          ? Math.max(claims.restMs(), more || fresh || claims.urgentLeft() ? 0 : askAt - now)
          : longestMs,
      ),
    );
  };

  /** Whether the next step has something to claim. */
  const isBusy = (): boolean =>
    mayGo() && (mayClaimWoken() || ((more || claims.urgentLeft()) && isLow() && claims.restMs() === 0));

  /** Until it is stopped, or the lease is lost. */
  const run = async (): Promise<void> => {
    while (!over) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error, lane: lane.name }, 'messages could not be claimed');
        await sleep(Math.min(500, timing.pollMs));
      }
      if (!over && !isBusy()) await wakeSignal.wait(idleMs());
    }
  };

  const stop = (): void => {
    over = true;
    handOver.stop();
    wakeSignal.signal();
  };

  const warnOfLeft = (error: unknown): void =>
    log.warn({ err: error, lane: lane.name }, 'claimed messages were left');
  /** Hands over nothing more, puts back what was not handed over and waits for what is in flight. */
  const drain = async (timeoutMs: number): Promise<void> => {
    stop();
    await giveBack(handOver.takeBack()).catch(warnOfLeft);
    await handOver.finish(timeoutMs);
  };
  /** After all results are stored: leaves no claim behind that has none. */
  const sweep = async (): Promise<void> => {
    if (strays) await giveBackStrays().catch(warnOfLeft);
  };

  return {
    run,
    drain,
    sweep,
    /** Called about every second. */
    tick: handOver.giveUpSilent,
    hasWork: (): boolean => hasClaimed() || more || fresh,
    /** Something new waits: only singles, or anything. */
    wake: (singles: boolean) => {
      woken = true;
      fresh ||= !singles;
      wakeSignal.signal();
    },
    stop,
  };
};
