export { localTime, momentOf, openLocalClock } from './local-time.ts';
