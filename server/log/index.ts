export { type Log, type LogOptions, openLog } from './log.ts';
