export { openQueue, type Queue } from './queue.ts';
export type { Tasks } from './task.ts';
