export { adminInboundRoutes, adminResolveRoutes } from './admin-routes.ts';
export { answerQuestion } from './answer-question.ts';
export { takeBatchRecipients } from './batch-recipient-store.ts';
export { type CancelDeps, cancelBatch, cancelChunks } from './cancel.ts';
export { findCarrierId } from './carrier-id-store.ts';
export { clearGone, countWaitingIn, findLanesWithWork } from './chunk-store.ts';
export { claimMessages } from './claim-store.ts';
export { type Claim, type Claimed, markUnknown } from './claimed-store.ts';
export { openClaims, type Taken } from './claims.ts';
export { foldCounts, foldDurations, foldLaneCounts, foldTraffic } from './counter-store.ts';
export { adminDoubtRoutes, readDoubtFilter } from './doubt-routes.ts';
export { type DoubtFilter, listIdsInDoubt } from './doubt-store.ts';
export { type Moved, moveFrom } from './failover.ts';
export { createdAtOf, isPending, joinGivenMessages, nobody, paidBatches } from './fragment-store.ts';
export { listNumberUsers } from './inbound-store.ts';
export { type LaneDay, readLaneDays } from './lane-usage-store.ts';
export { countWaitingFor, listWaitingIn, moveWaiting, type WaitingOfSender } from './lane-waiting-store.ts';
export { type LateReceipts, openLateReceipts } from './late-receipts.ts';
export { type LateResult, settleLate } from './late-results.ts';
export { readLanesOf } from './message-lane-store.ts';
export type { MessagePart } from './message-parts.ts';
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
export { countInDoubt, readTraffic } from './overview-store.ts';
export { readPace } from './pace-store.ts';
export { hasMessages, idAt, insertPast, type PastMessage } from './past-store.ts';
export { putBack, putBackStrays } from './put-back.ts';
export { type CarrierQuestion, takeQuestions } from './question-store.ts';
export { adminQueueRoutes } from './queue-routes.ts';
export { reconcile } from './reconcile.ts';
export { resultOf } from './record-results.ts';
export { type Fact, type LaneRecorder, openRecorder, type Recorder } from './recorder.ts';
export { type Fate, type Recovered, recoverClaims } from './recover-claims.ts';
export { RELEASE_DUE, releaseDue } from './release-due.ts';
export {
  type ResolveDeps,
  type ResolveOutcome,
  resolveMessage,
  resolveWithin,
} from './resolve.ts';
export { listResolutions, type Resolution, type Resolved } from './resolve-store.ts';
export { dropMonth, listMonthsBefore, messageRecords, namedMessages } from './retention-store.ts';
export { cancelRoutes } from './routes.ts';
export { findCustomersInSession, findSessions } from './session-store.ts';
export { outboxTasks, releaseTasks } from './tasks.ts';
export { type NotTransferred, previewTransfer, transferMessages, transferWithin } from './transfer.ts';
export { findTroubledLanes, lockLane, type TroubledLane } from './transfer-store.ts';
