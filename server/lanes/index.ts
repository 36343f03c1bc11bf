export { adminLaneRoutes, adminMessageRoutes } from './admin-routes.ts';
export type {
  Carrier,
  CarrierAnswer,
  CarrierEvents,
  Gate,
  Inbound,
  Outgoing,
  PartNote,
  Question,
  Receipt,
  SendOutcome,
  SentPart,
} from './carrier.ts';
export {
  changeLane,
  changeMode,
  type LanesDeps,
  makeDeviceLane,
  makeLane,
  openSettings,
} from './change-lane.ts';
export { listLaneRows } from './change-store.ts';
export {
  type DeviceLaneState,
  findLease,
  hasMet,
  insertDeviceLane,
  readDeviceLanes,
  setDeviceLane,
  setDeviceNumber,
} from './device-lane-store.ts';
export { inOrder } from './in-order.ts';
export { type Lane, type LaneDefinition, openLanes } from './lane.ts';
export { type LaneProvider, type ProviderSettings, parseSettings, settingsOfLane } from './lane-provider.ts';
export {
  isHeldBy,
  type Lease,
  releaseLeases,
  storeLaneStates,
  storeRejecting,
  takeLeases,
} from './lease-store.ts';
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
} from './phone-lane-store.ts';
export type { ProviderLane } from './provider-lane.ts';
export {
  countRecipients,
  forgetOldRecipients,
  type LaneMeeting,
  type LastLane,
  noteRecipients,
  readLastLanes,
} from './recipients-store.ts';
export { forgetOldSends, type LaneSends, noteSends, readLaneSends } from './sends-store.ts';
export {
  findSealedOptions,
  readSealedOptions,
  readServableLanes,
  type ServableLane,
} from './served-store.ts';
export {
  findLane,
  findLaneIds,
  type LaneInUse,
  type LaneMode,
  type LanePhone,
  readLaneSenders,
  readLanes,
} from './store.ts';
export {
  gated,
  type MinuteSends,
  NOTHING_SENT,
  openThrottle,
  type Sent,
  THROTTLE_MINUTES,
  THROTTLE_WINDOWS,
  type Throttle,
  type ThrottleLimits,
  type ThrottleWindow,
  throttleLimits,
} from './throttle.ts';
export { announceLanes, LANES_CHANNEL, readNotice, wakeLanes } from './wake-store.ts';
export { openWaking, type Waking } from './waking.ts';
export {
  endWorker,
  isJournaled,
  markUnserved,
  newWorker,
  readHeldLanes,
  renewWorker,
  sweepWorkers,
  type Worker,
} from './worker-store.ts';
