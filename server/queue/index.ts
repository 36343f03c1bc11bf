export { openQueue, type Queue, type SendOptions } from './queue.ts';
