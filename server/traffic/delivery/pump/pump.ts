import { setTimeout as sleep } from 'node:timers/promises';
import type { ServableLane } from '../../lanes/index.ts';
import type { DeliveryDeps } from '../delivery-deps.ts';
import type { WakeSignal } from '../wake-signal.ts';
import { type HandOverOptions, openHandOver } from './hand-over.ts';
import { openLaneClaims } from './lane-claims.ts';
import { nextMode, type PumpMode, waitMs } from './pump-mode.ts';

interface PumpOptions extends Omit<HandOverOptions, 'onAnswer' | 'onStored' | 'onRoom'> {
  lane: Pick<ServableLane, 'id' | 'name'>;
  holder: string;
  /** Signals that something waits. */
  wakeSignal: WakeSignal;
}

/**
 * Moves messages from the lane to its carrier: claims them, commits, and lets them be handed over. Its modes are in
 * pump-mode.ts, which decides what follows and when; here it is carried out.
 */
export const openPump = (deps: DeliveryDeps, { lane, holder, wakeSignal, ...options }: PumpOptions) => {
  const { log, timing } = deps;
  let mode: PumpMode = 'WAITING';
  const claims = openLaneClaims(deps, { lane, holder, onWork: wakeSignal.signal });
  const handOver = openHandOver(deps, {
    ...options,
    isHeld: () => mode !== 'OVER' && options.isHeld(),
    onAnswer: () => void (claims.wantsMore() && handOver.isLow() && wakeSignal.signal()),
    onStored: claims.forget,
    onRoom: wakeSignal.signal,
  });

  /** Enters the next mode. Returns how long it lasts without a signal. */
  const proceed = (): number => {
    const now = Date.now();
    const hasClaimed = handOver.hasAny() || claims.isReturning();
    const facts = { now, pollMs: timing.pollMs, hasClaimed, ...handOver.facts(now), ...claims.facts() };
    mode = nextMode(mode, claims.backlog(), facts);
    return waitMs(mode, claims.backlog(), facts);
  };

  const step = async (): Promise<void> => {
    await claims.putBack(handOver.takeLate());
    await claims.releaseUncertain();
    if (!handOver.mayGo()) return;
    handOver.go();
    handOver.measure();
    proceed();
    if (mode === 'CLAIM_SINGLES') handOver.add(await claims.claimSingles(handOver.urgentRoom()));
    else if (mode === 'CLAIM') handOver.add(await claims.claimNext(handOver.claimSize()));
  };

  /** Until it is stopped, or the lease is lost. */
  const run = async (): Promise<void> => {
    while (mode !== 'OVER') {
      try {
        await step();
      } catch (error) {
        log.error({ err: error, lane: lane.name }, 'messages could not be claimed');
        await sleep(Math.min(500, timing.pollMs));
      }
      const restMs = proceed();
      if (restMs > 0) await wakeSignal.wait(restMs);
    }
  };

  const stop = (): void => {
    mode = 'OVER';
    wakeSignal.signal();
  };
  const warnOfLeft = (error: unknown): void =>
    log.warn({ err: error, lane: lane.name }, 'claimed messages were left');

  return {
    run,
    stop,
    /** Hands over nothing more, puts back what was not handed over and waits for what is in flight. */
    drain: async (timeoutMs: number): Promise<void> => {
      stop();
      await claims.putBack(handOver.takeBack()).catch(warnOfLeft);
      await handOver.finish(timeoutMs);
    },
    /** After all results are stored: leaves no claim behind that has none. */
    sweep: (): Promise<void> => claims.releaseUncertain().catch(warnOfLeft),
    /** Called about every second. */
    tick: handOver.giveUpSilent,
    hasWork: (): boolean => handOver.hasAny() || claims.hasWork(),
    wake: claims.wake,
  };
};
