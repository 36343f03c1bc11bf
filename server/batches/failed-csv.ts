import { Readable } from 'node:stream';
import type { Language } from '../../contract/constants.ts';
import type { Channel } from '../../contract/messages.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import { reasonOf } from '../messages/index.ts';
import type { Db } from '../postgres/index.ts';
import { text } from '../translations/index.ts';
import { type FailedMessage, failedOf } from './failed-store.ts';
import type { BatchRow } from './store.ts';

/** The first columns are named as an upload reads them: the file can be corrected and sent again. */
const COLUMNS: Record<string, (failed: FailedMessage) => string> = {
  phone: ({ recipientRaw }) => recipientRaw,
  email: ({ recipientRaw }) => recipientRaw,
  subject: ({ subject }) => subject ?? '',
  message: ({ message }) => message,
  html: ({ html }) => html ?? '',
  identifier: ({ identifier }) => identifier ?? '',
};
/** The columns of a file of failed messages. */
export const failedColumns = (channel: Channel): string[] =>
  channel === 'email'
    ? ['email', 'subject', 'message', 'html', 'identifier']
    : ['phone', 'message', 'identifier'];

export const cellsOf = (failed: FailedMessage, columns: string[]): string[] =>
  columns.map((name) => COLUMNS[name]?.(failed) ?? '');

async function* lines(db: Db, batch: BatchRow, language: Language): AsyncGenerator<string> {
  const columns = failedColumns(batch.channel);
  const titles = [
    text(language, 'batch.csv.reason'),
    text(language, 'batch.csv.code'),
    text(language, 'batch.csv.id'),
  ];
  yield CSV_START + csvLine([...columns, ...titles]);
  for await (const page of failedOf(db, { batch, unsentOnly: false }))
    yield page
      .map((failed) =>
        csvLine([...cellsOf(failed, columns), reasonOf(failed, language), failed.errorCode, failed.id]),
      )
      .join('');
}

/** The messages of a batch that failed, each with the reason. */
export const failedCsv = (db: Db, batch: BatchRow, language: Language): Readable =>
  Readable.from(lines(db, batch, language));
