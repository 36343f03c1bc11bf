export { readFailedJobs } from './failed-jobs.ts';
export { openQueue, type Queue } from './queue.ts';
export type { Tasks } from './task.ts';
