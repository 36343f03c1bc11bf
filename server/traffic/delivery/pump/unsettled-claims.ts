import type { Db } from '../../../ground/postgres/index.ts';
import { type Claim, type Claimed, putBack, releaseUncertainClaims, type Taken } from '../../outbox/index.ts';

/** A claim may be committed long after we gave it up. */
const STRAYS_MS = 60_000;

interface UnsettledOptions {
  laneId: number;
  holder: string;
  /** Some were found, and are to be put back. */
  onStrays: () => void;
}

/**
 * What the holder of a lane has claimed. A claim is unsettled until each of its messages has its result stored or was
 * put back. There are two ways back to waiting:
 *
 * - Messages that were not handed over are put back by name. If that fails they stay in `returning`, and the next call
 *   puts them back.
 * - Strays are in claims that are ours by the table and that we don't know, or know no longer: whatever is not in
 *   `unsettled` is put back.
 */
export const openUnsettled = (db: Db, { laneId, holder, onStrays }: UnsettledOptions) => {
  /** Being put back: they may be in a chunk already, and we must not send them. */
  let returning: Claimed[] = [];
  /** Our claims that are not completely settled. */
  const unsettled = new Set<Claim>();
  /**
   * Claims of which some were given back while others had no result. If the last of both is written at the same moment,
   * neither write takes itself for the last, and the claim is left without a message.
   */
  const parted = new Set<Claim>();
  /** A claim failed, and it is not known whether it was committed; or one was left without a message. */
  let strays = false;
  /** After a failed claim: when to look for it once more. */
  let straysAt = Number.POSITIVE_INFINITY;

  const forget = (claim: Claim): void => {
    if (claim.open > 0) return;
    unsettled.delete(claim);
    if (!parted.delete(claim)) return;
    strays = true;
    onStrays();
  };

  return {
    claim: async (take: () => Promise<Taken>): Promise<Taken> => {
      try {
        const taken = await take();
        for (const { claim } of taken.claimed) unsettled.add(claim);
        return taken;
      } catch (error) {
        strays = true;
        straysAt = Date.now() + STRAYS_MS;
        throw error;
      }
    },
    /** A message of it has its result. */
    forget,
    isReturning: (): boolean => returning.length > 0,
    /** Puts back these, and those that could not be put back before. Returns whether there were any. */
    putBack: async (messages: Claimed[]): Promise<boolean> => {
      returning = returning.concat(messages);
      if (returning.length === 0) return false;
      for (const [claim, { length }] of Map.groupBy(returning, (message) => message.claim))
        if (claim.open > length) parted.add(claim);
      await putBack(db, holder, returning);
      for (const { claim } of returning) {
        claim.open -= 1;
        forget(claim);
      }
      returning = [];
      return true;
    },
    mayHaveStrays: (): boolean => strays || Date.now() >= straysAt,
    straysAt: (): number => straysAt,
    releaseUncertain: async (): Promise<void> => {
      await releaseUncertainClaims(db, { laneId, holder, claimIds: [...unsettled].map(({ id }) => id) });
      strays = false;
      if (Date.now() >= straysAt) straysAt = Number.POSITIVE_INFINITY;
    },
  };
};
