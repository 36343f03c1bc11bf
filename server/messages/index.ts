export { type AcceptedBatch, accept, type Batch } from './accept.ts';
export { adminMessageRoutes } from './admin-routes.ts';
export { countryOf } from './country.ts';
export { RECIPIENT_NAMES } from './csv-columns.ts';
export { type SpooledCsv, spoolCsv } from './csv-spool.ts';
export { type ImportTally, importTable, type TableRow } from './csv-table.ts';
export { viewUpload } from './csv-view.ts';
export { type DetailDeps, detailRoutes } from './detail-routes.ts';
export { messageLines, type PartSize, partsOf } from './export-messages.ts';
export {
  copiedTexts,
  dropMonth,
  listMonthsBefore,
  messageRecords,
  namedMessages,
} from './forget-messages.ts';
export type { Span } from './hour-spans.ts';
export { makeDemoMessages } from './make-demo.ts';
export type { MessagesDeps, OptOuts } from './messages-deps.ts';
export { newId } from './new-id.ts';
export { openMessages } from './open-messages.ts';
export { readOutcomes } from './outcome-store.ts';
export { type Prepared, prepare, readTerms, type Terms, type Wanted } from './prepare.ts';
export { readChannels } from './read-channels.ts';
export { receiveUpload } from './receive-upload.ts';
export { readRecipient } from './recipient.ts';
export { type BatchRecipient, takeBatchRecipients } from './recipient-store.ts';
export { refusedCsv } from './refused-csv.ts';
export { type MessageRouteDeps, messageRoutes, sendingRoutes } from './routes.ts';
export { searchCsv } from './search-csv.ts';
export { messageTasks } from './tasks.ts';
export { openTurns } from './turns.ts';
export { uploadRoutes } from './upload-routes.ts';
export { findFirstUse, findUsedSpans, readUsage, readUsageMadeBefore, type Usage } from './usage-store.ts';
export { whatsappRoutes } from './whatsapp-routes.ts';
