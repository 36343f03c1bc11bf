export { type AcceptedBatch, accept, acceptWithin } from './accept.ts';
export { adminLimitRoutes } from './admin-routes.ts';
export { openSending } from './open-sending.ts';
export {
  allowSenders,
  type Prepared,
  prepare,
  readTerms,
  routedMessage,
  type Terms,
  unitPrice,
  type Wanted,
} from './prepare.ts';
export { readChannels } from './read-channels.ts';
export { type SendingRouteDeps, sendingRoutes } from './routes.ts';
export { readSchedule, type WantedSchedule } from './schedule.ts';
export type { SendingDeps, SendingRules } from './sending-deps.ts';
export { sendingTasks } from './tasks.ts';
