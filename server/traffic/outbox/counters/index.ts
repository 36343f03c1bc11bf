export { dropMonth, listMonthsBefore, messageRecords, namedMessages } from './retention-store.ts';
