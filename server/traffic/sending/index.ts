export { type AcceptedBatch, accept, acceptWithin } from './accepting/accept.ts';
export { adminLimitRoutes } from './admin-routes.ts';
export { allowSenders } from './allow-senders.ts';
export { limitTestTexts, storedLength } from './limit-test-texts.ts';
export { openSending } from './open-sending.ts';
export type { NamedDevices, OwnDevices, RunningDevice } from './own-devices.ts';
export {
  type MessageRequest,
  type Prepared,
  prepare,
  routedMessage,
  unitPrice,
} from './prepare.ts';
export { readChannels } from './read-channels.ts';
export { requestHash } from './request-hash.ts';
export { type SendingRouteDeps, sendingRoutes } from './routes.ts';
export { readSchedule, type WantedSchedule } from './schedule.ts';
export type { SendingDeps, SendingRules } from './sending-deps.ts';
export { separateOptedOut } from './separate-opted-out.ts';
export { sendingTasks } from './tasks.ts';
export { readTerms, type Terms } from './terms.ts';
export { adminTestRoutes } from './test-lane.ts';
