export { openQueue, type Queue, type SendOptions } from './queue.ts';
export type { Task, Tasks } from './task.ts';
