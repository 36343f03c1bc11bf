export { expectSeconds } from './expect-seconds.ts';
export { receiveUpload } from './receive-upload.ts';
export { refusedCsv } from './refused-csv.ts';
export { uploadRoutes } from './routes.ts';
export { uploadTasks } from './tasks.ts';
export { viewUpload } from './view.ts';
