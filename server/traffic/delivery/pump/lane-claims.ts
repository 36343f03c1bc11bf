import { type Claimed, openClaims, type Taken } from '../../outbox/index.ts';
import type { DeliveryDeps } from '../delivery-deps.ts';
import { openClearing } from './clear-claimed.ts';
import { type Backlog, NOTHING_KNOWN, type PumpFacts } from './pump-mode.ts';
import { openUnsettled } from './unsettled-claims.ts';

interface LaneClaimsOptions {
  lane: { id: number; name: string };
  holder: string;
  /** Something waits to be claimed or put back. */
  onWork: () => void;
}

/** Claims what waits in a lane, puts back what is not sent, and keeps what is known of the rest as the backlog. */
export const openLaneClaims = (deps: DeliveryDeps, { lane, holder, onWork }: LaneClaimsOptions) => {
  const { db } = deps;
  let backlog: Backlog = NOTHING_KNOWN;
  const learn = (news: Partial<Backlog>): void => {
    backlog = { ...backlog, ...news };
  };
  const claims = openClaims(db, { laneId: lane.id, holder });
  const unsettled = openUnsettled(db, { laneId: lane.id, holder, onStrays: onWork });
  const clear = openClearing(deps, lane);

  const claim = async (take: () => Promise<Taken>): Promise<Taken> => {
    const taken = await unsettled.claim(take).catch((error: unknown) => {
      learn({ fresh: true });
      throw error;
    });
    clear(taken.claimed.length);
    return taken;
  };
  const claimUrgent = async (limit: number): Promise<Claimed[]> =>
    (await claim(async () => ({ claimed: await claims.takeUrgent(limit), againInMs: 0 }))).claimed;

  return {
    backlog: (): Backlog => backlog,
    facts: (): Pick<PumpFacts, 'urgentLeft' | 'urgentInMs' | 'restMs' | 'straysAt'> => ({
      urgentLeft: claims.urgentLeft(),
      urgentInMs: claims.urgentInMs(),
      restMs: claims.restMs(),
      straysAt: unsettled.straysAt(),
    }),
    /** Something new waits: only singles, or anything. */
    wake: (singles: boolean): void => {
      learn({ woken: true, fresh: backlog.fresh || !singles });
      onWork();
    },
    hasWork: (): boolean => unsettled.isReturning() || backlog.more || backlog.fresh,
    /** An answer of the carrier may make room for another claim. */
    wantsMore: (): boolean => backlog.more || backlog.woken || claims.urgentLeft(),
    claimSingles: (limit: number): Promise<Claimed[]> => {
      learn({ woken: false });
      return claimUrgent(limit);
    },
    claimNext: async (limit: number): Promise<Claimed[]> => {
      if (claims.urgentLeft()) return claimUrgent(limit);
      learn({ fresh: false });
      const { claimed, againInMs } = await claim(() => claims.take(limit));
      learn({ more: againInMs === 0, askAt: Date.now() + againInMs });
      return claimed;
    },
    /** Its result is stored. */
    forget: ({ claim }: Claimed): void => unsettled.forget(claim),
    isReturning: unsettled.isReturning,
    /** Puts back these, and those that could not be put back before. */
    putBack: async (messages: Claimed[]): Promise<void> => {
      if (!(await unsettled.putBack(messages))) return;
      claims.resetScan();
      learn({ fresh: true });
    },
    releaseUncertain: async (): Promise<void> => {
      if (!unsettled.mayHaveStrays()) return;
      await unsettled.releaseUncertain();
      claims.resetScan();
    },
  };
};
