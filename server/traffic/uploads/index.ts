export { expectSeconds } from './expect-seconds.ts';
export { receiveUpload } from './receive-upload.ts';
export { csvUploads, uploadFiles, uploadRoutes } from './routes.ts';
export { sendUpload } from './send-upload.ts';
export { uploadTasks } from './tasks.ts';
