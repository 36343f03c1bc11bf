export { adminInboundRoutes, adminResolveRoutes } from './admin-routes.ts';
export { type CancelDeps, cancelChunks } from './cancelling/cancel.ts';
export { cancelRoutes } from './cancelling/routes.ts';
export { takeBatchRecipients } from './counters/batch-recipient-store.ts';
export { readLaneDays } from './counters/lane-usage-store.ts';
export { countInDoubtUpTo, readTraffic } from './counters/overview-store.ts';
export { readPace } from './counters/pace-store.ts';
export { hasMessages, idAt, insertPast, type PastMessage } from './counters/past-store.ts';
export { answerQuestion } from './doubt/answer-question.ts';
export { adminDoubtRoutes } from './doubt/doubt-routes.ts';
export { takeQuestions } from './doubt/question-store.ts';
export type { ResolveDeps } from './doubt/resolve.ts';
export { listResolutions, type Resolved } from './doubt/resolve-store.ts';
export { createdAtOf, isPending, joinGivenMessages, noSubscribers, paidBatches } from './fragment-store.ts';
export { listNumberUsers } from './incoming/inbound-store.ts';
export { findCustomersInSession, findSessions } from './incoming/session-store.ts';
export { type Moved, moveFrom } from './moving/failover.ts';
export { RELEASE_DUE } from './moving/release-due.ts';
export { transferWithin } from './moving/transfer.ts';
export { transferRoutes } from './moving/transfer-routes.ts';
export { findTroubledLanes } from './moving/transfer-store.ts';
export type { OutboxDeps, ReceivedInbound } from './outbox-deps.ts';
export type { OutboxEvent, PublishEvents, Publisher, PublishingRows } from './outbox-event.ts';
export type { MessagePart } from './parts/message-parts.ts';
export { findCarrierId } from './results/carrier-id-store.ts';
export { type LateReceipts, openLateReceipts } from './results/late-receipts.ts';
export { settleLate } from './results/late-results.ts';
export { resultOf } from './results/record-results.ts';
export { type Fact, type LaneRecorder, openRecorder, type Recorder } from './results/recorder.ts';
export { outboxTasks, releaseTasks } from './tasks.ts';
export { clearGone, countWaitingIn, findLanesWithWork } from './waiting/chunk-store.ts';
export { type Claim, type Claimed, markUnknown } from './waiting/claimed-store.ts';
export { openClaims, type Taken } from './waiting/claims.ts';
export {
  countWaitingFor,
  listWaitingIn,
  moveWaiting,
  type WaitingOfSender,
} from './waiting/lane-waiting-store.ts';
export { readLanesOf } from './waiting/message-lane-store.ts';
export {
  type BatchFacts,
  type BatchKind,
  insertingBatches,
  insertingMessages,
  makePartitions,
  type NewMessage,
  type Schedule,
  storingMessages,
} from './waiting/new-message-store.ts';
export { putBack, releaseUncertainClaims } from './waiting/put-back.ts';
export { adminQueueRoutes } from './waiting/queue-routes.ts';
export { type Fate, type Recovered, recoverClaims } from './waiting/recover-claims.ts';
