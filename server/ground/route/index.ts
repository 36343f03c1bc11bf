export type {
  AuditChange,
  Caller,
  CallerRoutes,
  OpenRoutes,
  SenderRoutes,
  SendingAccount,
  Viewer,
} from './call.ts';
export {
  type CallerFiles,
  callerFile,
  type FileAnswer,
  type FileRoute,
  type SenderFiles,
  senderFile,
} from './file.ts';
export type { LinkedPageAnswer, LinkedPageInput, LinkedPages } from './linked-page.ts';
export type { MountedPages } from './mounted-pages.ts';
export { requireOwnAccount } from './own-account.ts';
export type { SocketListener, Sockets, TextSocket } from './socket.ts';
export {
  type CallerUploads,
  callerUpload,
  type FilePart,
  type SenderUploads,
  senderUpload,
  type UploadRoute,
} from './upload.ts';
export type { WebhookAnswer, WebhookCall, Webhooks } from './webhook.ts';
