import { Readable } from 'node:stream';
import type { Language } from '../../../../contract/ground/constants.ts';
import { type CsvColumn, csvTable } from '../../../../contract/ground/csv.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { openLocalClock } from '../../../ground/local-time/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Caller } from '../../../ground/route/index.ts';
import { type LabelAfter, text } from '../../../ground/translations/index.ts';
import { outcomeReason } from '../details/view-outcome.ts';
import { type NamedMessage, type Walk, walkMessages } from '../export/walk-messages.ts';
import { type AskedFilter, readFilter } from './read-search.ts';

type Column = CsvColumn<NamedMessage>;

/** The columns of the file, in the reader's language and time zone. */
const columnsOf = (language: Language, timeZone: string, admin: boolean): Column[] => {
  const clock = openLocalClock(timeZone);
  const time = (moment: number | null) => (moment === null ? null : clock(moment));
  const title = (name: LabelAfter<'message.csv.'>) => text(language, `message.csv.${name}`);
  const types = {
    incoming: text(language, 'message.csv.incoming'),
    outgoing: text(language, 'message.csv.outgoing'),
  };
  const answers = { true: text(language, 'message.csv.yes'), false: text(language, 'message.csv.no') };
  const accountColumn: Column = {
    title: title('account'),
    type: 'text',
    value: ({ accountId }) => accountId,
  };
  const forAdmins: Column[] = [
    { title: title('updated'), type: 'time', value: ({ updatedMs }) => clock(updatedMs) },
    { title: title('provider'), type: 'text', value: ({ provider }) => provider },
    { title: title('provider_id'), type: 'text', value: ({ providerMessageId }) => providerMessageId },
  ];
  return [
    { title: title('id'), type: 'text', value: ({ id }) => id },
    ...(admin ? [accountColumn] : []),
    { title: title('created'), type: 'time', value: ({ createdMs }) => clock(createdMs) },
    { title: title('direction'), type: 'text', value: ({ type }) => types[type] },
    { title: title('channel'), type: 'text', value: ({ channel }) => channel },
    { title: title('status'), type: 'text', value: ({ status }) => status },
    { title: title('from'), type: 'phone', value: ({ sender }) => sender },
    { title: title('to'), type: 'phone', value: ({ recipient }) => recipient },
    { title: title('contact'), type: 'text', value: ({ contactName }) => contactName },
    { title: title('subject'), type: 'text', value: ({ subject }) => subject },
    { title: title('message'), type: 'text', value: ({ message }) => message },
    { title: title('segments'), type: 'number', value: ({ segment }) => String(segment) },
    { title: title('price'), type: 'amount', value: ({ priceMicros }) => decimalFromMicros(priceMicros) },
    { title: title('currency'), type: 'text', value: () => 'USD' },
    { title: title('test'), type: 'text', value: ({ test }) => answers[`${test}`] },
    { title: title('reason'), type: 'text', value: (message) => outcomeReason(message, language) },
    { title: title('sent'), type: 'time', value: ({ sentMs }) => time(sentMs) },
    { title: title('delivered'), type: 'time', value: ({ deliveredMs }) => time(deliveredMs) },
    { title: title('read'), type: 'time', value: ({ readMs }) => time(readMs) },
    { title: title('carrier'), type: 'text', value: ({ carrier }) => carrier },
    { title: title('identifier'), type: 'text', value: ({ identifier }) => identifier },
    ...(admin ? forAdmins : []),
  ];
};

async function* lines(db: Db, columns: Column[], walk: Walk): AsyncGenerator<string> {
  const { head, line } = csvTable(columns);
  yield head;
  yield* walkMessages(db, walk, line);
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
