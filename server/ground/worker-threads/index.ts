export { JobEnded } from './reply-of.ts';
export { serveJobs } from './serve-jobs.ts';
export { openThreadPool, type ThreadPool } from './thread-pool.ts';
