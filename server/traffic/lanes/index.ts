export { adminLaneRoutes, adminMessageRoutes } from './admin-routes.ts';
export type {
  Carrier,
  CarrierAnswer,
  CarrierEvents,
  Inbound,
  Outgoing,
  PartNote,
  Question,
  Receipt,
  SendOutcome,
  SentPart,
} from './carrier.ts';
export { inOrder } from './in-order.ts';
export { type Lane, type LaneDefinition, openLanes } from './lane.ts';
export { type LaneProvider, type ProviderSettings, parseSettings, settingsOfLane } from './lane-provider.ts';
export type { ProviderLane } from './provider-lane.ts';
export {
  isHeldBy,
  type Lease,
  releaseLeases,
  storeLaneStates,
  storeRejecting,
  takeLeases,
} from './serving/lease-store.ts';
export { forgetOldSends, type LaneSends, noteSends, readLaneSends } from './serving/sends-store.ts';
export {
  findSealedOptions,
  readSealedOptions,
  readServableLanes,
  type ServableLane,
} from './serving/served-store.ts';
export {
  gated,
  type MinuteSends,
  NOTHING_SENT,
  openThrottle,
  type SentCounts,
  THROTTLE_MINUTES,
  THROTTLE_WINDOWS,
  type Throttle,
  type ThrottleLimits,
  type ThrottleWindow,
  throttleLimits,
} from './serving/throttle.ts';
export { LANES_CHANNEL, readLaneNotice, wakeLanes } from './serving/wake-store.ts';
export { openWaking, type Waking } from './serving/waking.ts';
export {
  endWorker,
  isJournaled,
  markUnserved,
  newWorker,
  readHeldLanes,
  renewWorker,
  sweepWorkers,
  type Worker,
} from './serving/worker-store.ts';
export { type LanesDeps, openSettings } from './table/change-lane.ts';
export { listLaneRows } from './table/change-store.ts';
export {
  findLanesOfPhones,
  findPhoneLane,
  findPhoneLanes,
  followHeartbeats,
  listLentNumbers,
  type PhoneLane,
  readPhoneLanes,
  retireSimulatedLanes,
  storePhoneLanes,
} from './table/phone-lane-store.ts';
export {
  countRecipients,
  forgetOldRecipients,
  type LastLane,
  noteRecipients,
  type RecipientContact,
  readLastLanes,
} from './table/recipients-store.ts';
export {
  findLane,
  findLaneIds,
  type LaneInUse,
  type LanePhone,
  readLaneSenders,
  readLanes,
} from './table/store.ts';
