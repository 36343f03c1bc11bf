export { type AcceptedBatch, accept, type Batch } from './accept.ts';
export { spoolCsv } from './csv-spool.ts';
export { viewUpload } from './csv-view.ts';
export type { MessagesDeps } from './messages-deps.ts';
export { openMessages } from './open-messages.ts';
export { type Prepared, prepare, readTerms, type Terms, type Wanted } from './prepare.ts';
export { readChannels } from './read-channels.ts';
export { receiveUpload } from './receive-upload.ts';
export { refusedCsv } from './refused-csv.ts';
export { type MessageRouteDeps, messageRoutes, sendingRoutes } from './routes.ts';
export { messageTasks } from './tasks.ts';
export { openTurns } from './turns.ts';
export { uploadRoutes } from './upload-routes.ts';
export {
  findFirstUse,
  findUsedSpans,
  readUsage,
  readUsageMadeBefore,
  type Span,
  type Usage,
} from './usage-store.ts';
