import type { LaneDefinition } from './lane.ts';

/** A lane as its provider makes it from its settings. Its place among the other lanes is not for the provider to say. */
export type ProviderLane = Omit<LaneDefinition, 'preference' | 'route'>;
