export { type DeadJournal, findDeadJournals } from './dead-journals.ts';
export { type Journal, type JournalSettings, NO_JOURNAL, openJournal } from './journal.ts';
export { type Attempt, attemptKey, type JournalAnswer } from './journal-file.ts';
