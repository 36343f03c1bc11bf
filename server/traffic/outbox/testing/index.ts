/** For tests and benches alone: shipped code enters by the other door. */
export { cancelBatch } from '../cancelling/cancel.ts';
export { foldCounts, foldDurations, foldLaneCounts, foldTraffic } from '../counters/counter-store.ts';
export { resolveMessage } from '../doubt/resolve.ts';
export { releaseDue } from '../moving/release-due.ts';
export { transferMessages } from '../moving/transfer.ts';
export { lockLane } from '../moving/transfer-store.ts';
export { publishNothing } from '../outbox-event.ts';
export { reconcile } from '../results/reconcile.ts';
export { claimMessages } from '../waiting/claim-store.ts';
