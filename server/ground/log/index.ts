export { type Log, openLog, replaceAddresses } from './log.ts';
