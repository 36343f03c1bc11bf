import type { LaneFacts, RoutedMessage } from './lane-facts.ts';
import type { Surroundings } from './rules.ts';

/** Beyond its ideal volume by this part of it, a phone is no longer kept for those who know it. */
const STICKY_SLACK = 0.05;
const DAY_MS = 86_400_000;
/** A new SIM sends less in its first days: carriers block one that begins at full pace. */
const WARM_UP_DAYS = 7;
/** The share of a phone that has no ideal volume. */
const USUAL_VOLUME = 100;

export const isOverIdeal = (lane: LaneFacts, { tallyOf }: Pick<Surroundings, 'tallyOf'>): boolean =>
  tallyOf(lane).volumeLeft <= 0;

/** Whether the recipient knows this phone, and it may be kept for them. */
export const isSticky = (
  lane: LaneFacts,
  { last }: RoutedMessage,
  { tallyOf }: Pick<Surroundings, 'tallyOf'>,
): boolean =>
  lane.phone !== null &&
  last?.laneId === lane.id &&
  tallyOf(lane).volumeLeft > -lane.phone.idealVolume * STICKY_SLACK;

export const isOnNet = ({ phone }: LaneFacts, { carrier }: RoutedMessage): boolean =>
  carrier !== undefined && carrier !== '' && (phone?.aliases.includes(carrier) ?? false);

/** Whole days since it began to send. */
export const startedDays = ({ phone }: LaneFacts, nowMs: number): number =>
  phone?.startedMs ? Math.max(0, Math.floor((nowMs - phone.startedMs) / DAY_MS)) : 0;

/** Its share among its equals: by its ideal volume, its rate, and less in its first days. */
export const weightOf = (lane: LaneFacts, nowMs: number): number => {
  const { phone, weight } = lane;
  if (!phone) return weight;
  const warm = phone.startedMs ? Math.min(1, (startedDays(lane, nowMs) + 1) / WARM_UP_DAYS) : 1;
  return (phone.idealVolume || USUAL_VOLUME) * phone.transferJobRate * warm;
};
