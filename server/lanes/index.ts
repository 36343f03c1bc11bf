export { adminMessageRoutes } from './admin-routes.ts';
export type { Carrier, CarrierEvents, Inbound, Outgoing, Receipt, SendOutcome } from './carrier.ts';
export { inOrder } from './in-order.ts';
export { type Lane, type LaneDefinition, openLanes } from './lane.ts';
export { releaseLease, renewLease, storeLaneState, storeRejecting, takeLease } from './lease-store.ts';
export { pickLane } from './pick-lane.ts';
export type { ProviderLane } from './provider-lane.ts';
export { findLane, findLaneIds, type LaneInUse, type LaneMode, readLanes } from './store.ts';
export { LANES_CHANNEL, readNotice, wakeLanes } from './wake-store.ts';
