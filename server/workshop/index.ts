export { serveJobs } from './serve-jobs.ts';
export { openWorkshop, type Workshop } from './workshop.ts';
