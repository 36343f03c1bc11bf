import { Readable } from 'node:stream';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { type CsvColumn, csvTable } from '../../../contract/ground/csv.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { text } from '../../ground/translations/index.ts';
import { outcomeReason } from '../messages/index.ts';
import { type FailedMessage, failedOf } from './failed-store.ts';
import type { BatchRow } from './store.ts';

/** They are named as an upload reads them: the file can be corrected and sent again. */
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
  const columns: CsvColumn<FailedMessage>[] = failedColumns(batch.channel).map((name) => ({
    title: name,
    type: name === 'phone' ? 'phone' : 'text',
    value: (failed) => COLUMNS[name]?.(failed) ?? null,
  }));
  const { head, line } = csvTable<FailedMessage>([
    { title: text(language, 'batch.csv.id'), type: 'text', value: ({ id }) => id },
    ...columns,
    {
      title: text(language, 'batch.csv.reason'),
      type: 'text',
      value: (failed) => outcomeReason(failed, language),
    },
    { title: text(language, 'batch.csv.code'), type: 'text', value: ({ errorCode }) => errorCode },
  ]);
  yield head;
  for await (const page of failedOf(db, { batch, unsentOnly: false })) yield page.map(line).join('');
}

/** The messages of a batch that failed, each with the reason. */
export const failedCsv = (db: Db, batch: BatchRow, language: Language): Readable =>
  Readable.from(lines(db, batch, language));
