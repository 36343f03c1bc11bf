import { Readable } from 'node:stream';
import type { Language } from '../../contract/constants.ts';
import { decimalFromMicros } from '../../contract/money.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import { openLocalClock } from '../local-time/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Caller } from '../route/index.ts';
import { text } from '../translations/index.ts';
import { type AskedFilter, readFilter } from './read-search.ts';
import type { ExportedMessage } from './search-csv-store.ts';
import { reasonOf } from './view-outcome.ts';
import { type Walk, walkMessages } from './walk-messages.ts';

interface Column {
  title: string;
  value: (message: ExportedMessage) => string;
}

/** The columns of the file, in the reader's language and time zone. */
const columnsOf = (language: Language, timeZone: string, admin: boolean): Column[] => {
  const clock = openLocalClock(timeZone);
  const time = (moment: number | null) => (moment === null ? '' : clock(moment));
  const title = (name: string) => text(language, `message.csv.${name}`);
  const types = {
    incoming: text(language, 'message.csv.incoming'),
    outgoing: text(language, 'message.csv.outgoing'),
  };
  const answers = { true: text(language, 'message.csv.yes'), false: text(language, 'message.csv.no') };
  return [
    { title: title('id'), value: ({ id }) => id },
    ...(admin ? [{ title: title('account'), value: ({ accountId }: ExportedMessage) => accountId }] : []),
    { title: title('created'), value: ({ createdMs }) => clock(createdMs) },
    { title: title('direction'), value: ({ type }) => types[type] },
    { title: title('channel'), value: ({ channel }) => channel },
    { title: title('status'), value: ({ status }) => status },
    { title: title('from'), value: ({ sender }) => sender ?? '' },
    { title: title('to'), value: ({ recipient }) => recipient },
    { title: title('subject'), value: ({ subject }) => subject ?? '' },
    { title: title('message'), value: ({ message }) => message },
    { title: title('segments'), value: ({ segment }) => String(segment) },
    { title: title('price'), value: ({ priceMicros }) => decimalFromMicros(priceMicros) },
    { title: title('currency'), value: () => 'USD' },
    { title: title('test'), value: ({ test }) => answers[`${test}`] },
    { title: title('reason'), value: (message) => reasonOf(message, language) },
    { title: title('sent'), value: ({ sentMs }) => time(sentMs) },
    { title: title('delivered'), value: ({ deliveredMs }) => time(deliveredMs) },
    { title: title('read'), value: ({ readMs }) => time(readMs) },
    { title: title('carrier'), value: ({ carrier }) => carrier ?? '' },
    { title: title('identifier'), value: ({ identifier }) => identifier ?? '' },
    ...(admin
      ? [
          { title: title('updated'), value: ({ updatedMs }: ExportedMessage) => clock(updatedMs) },
          { title: title('provider'), value: ({ provider }: ExportedMessage) => provider ?? '' },
          {
            title: title('provider_id'),
            value: ({ providerMessageId }: ExportedMessage) => providerMessageId ?? '',
          },
        ]
      : []),
  ];
};

async function* lines(db: Db, columns: Column[], walk: Walk): AsyncGenerator<string> {
  yield CSV_START + csvLine(columns.map(({ title }) => title));
  yield* walkMessages(db, walk, (message) => csvLine(columns.map(({ value }) => value(message))));
}

interface Export extends Omit<Walk, 'search'> {
  caller: Caller;
  asked: AskedFilter;
  language: Language;
}

/** Every message that matches, newest first, as a CSV file. Nothing is read ahead of the client. */
export const searchCsv = async (db: Db, { caller, asked, language, ...walk }: Export): Promise<Readable> => {
  const { search, timeZone } = await readFilter(db, caller, asked);
  const columns = columnsOf(language, timeZone, caller.admin);
  return Readable.from(lines(db, columns, { ...walk, search }));
};
