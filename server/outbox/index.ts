export { adminInboundRoutes } from './admin-routes.ts';
export { takeBatchRecipients } from './batch-recipient-store.ts';
export { type CancelDeps, cancelBatch } from './cancel.ts';
export { findCarrierId } from './carrier-id-store.ts';
export { clearGone, countWaitingIn, findLanesWithWork } from './chunk-store.ts';
export { claimMessages } from './claim-store.ts';
export { type Claim, type Claimed, markUnknown, putBack, putBackStrays } from './claimed-store.ts';
export { openClaims, type Taken } from './claims.ts';
export { foldCounts } from './counter-store.ts';
export { type Moved, moveFrom } from './failover.ts';
export { createdAtOf, joinGivenMessages, nobody, paidBatches } from './fragment-store.ts';
export { listNumberUsers } from './inbound-store.ts';
export { type LaneDay, readLaneDays } from './lane-usage-store.ts';
export { type LateReceipts, openLateReceipts } from './late-receipts.ts';
export {
  type BatchFacts,
  type BatchKind,
  insertingBatches,
  insertingMessages,
  makePartitions,
  type NewBatch,
  type NewMessage,
  type Schedule,
  storingMessages,
} from './new-message-store.ts';
export type { OutboxDeps, ReceivedInbound } from './outbox-deps.ts';
export {
  type OutboxEvent,
  type PublishEvents,
  type Publisher,
  type PublishingRows,
  publishNothing,
} from './outbox-event.ts';
export { readPace } from './pace-store.ts';
export { hasMessages, idAt, insertPast, type PastMessage } from './past-store.ts';
export { reconcile } from './reconcile.ts';
export { resultOf } from './record-results.ts';
export { type Fact, type LaneRecorder, openRecorder, type Recorder } from './recorder.ts';
export { type Fate, type Recovered, recoverClaims } from './recover-claims.ts';
export { RELEASE_DUE, releaseDue } from './release-due.ts';
export { dropMonth, listMonthsBefore, messageRecords, namedMessages } from './retention-store.ts';
export { cancelRoutes } from './routes.ts';
export { findCustomersInSession, findSessions } from './session-store.ts';
export { outboxTasks, releaseTasks } from './tasks.ts';
export { type NotTransferred, previewTransfer, transferMessages } from './transfer.ts';
export { findTroubledLanes, lockLane, type TroubledLane } from './transfer-store.ts';
