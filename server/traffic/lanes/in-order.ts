import type { LaneSettings } from './table/sync-store.ts';

/**
 * Orders lanes by a list of names: the named ones first, in that order, then the others as they are. A name may also be
 * a provider's: all of its lanes.
 */
export const inOrder = <Given extends LaneSettings>(lanes: Given[], names: string[]): Given[] => {
  const isCalled = (lane: Given, name: string): boolean => lane.name === name || lane.provider === name;
  const unknown = names.filter((name) => !lanes.some((lane) => isCalled(lane, name)));
  if (unknown.length > 0)
    throw new Error(
      `there is no lane ${unknown.join(', ')}; there ${lanes.length === 0 ? 'are none' : `are ${lanes.map(({ name }) => name).join(', ')}`}`,
    );
  const place = (lane: Given): number => {
    const found = names.findIndex((name) => isCalled(lane, name));
    return found < 0 ? names.length : found;
  };
  return lanes
    .toSorted((a, b) => place(a) - place(b))
    .map((lane, at) => ({ ...lane, preference: lane.preference + at }));
};
