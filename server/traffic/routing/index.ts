export { type Choice, LANE_REASONS, type LaneReason, noLane } from './choice.ts';
export { type Chooser, type Offer, openChooser } from './chooser.ts';
export type { Explained } from './explain-lanes.ts';
export { type LaneFacts, laneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';
export { nearestOf } from './nearest.ts';
export { openRouting, type Routing, readLaneFacts } from './open-routing.ts';
export type { RuleCode } from './rules.ts';
export { phoneSendersOf } from './surroundings.ts';
