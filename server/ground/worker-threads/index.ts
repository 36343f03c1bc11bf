export { JobEnded } from './reply-of.ts';
export { serveJobs } from './serve-jobs.ts';
export { openWorkshop, type Workshop } from './workshop.ts';
