import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { csvTable } from '../../../../contract/ground/csv.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type ExportedMessage, listAfter } from './export-store.ts';

const PAGE = 1_000;
/** Spreadsheets read 1,048,576 rows; an archive's file has to stay below 4 GB. */
const PART_LINES = 1_000_000;
const PART_CHARACTERS = 500_000_000;

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

const { head, line } = csvTable<ExportedMessage>([
  { title: 'id', type: 'text', value: ({ id }) => id },
  { title: 'created_at', type: 'time', value: ({ createdAt }) => createdAt },
  { title: 'type', type: 'text', value: ({ type }) => type },
  { title: 'channel', type: 'text', value: ({ channel }) => channel },
  { title: 'status', type: 'text', value: ({ status }) => status },
  { title: 'test', type: 'text', value: ({ test }) => String(test) },
  { title: 'recipient', type: 'phone', value: ({ recipient }) => recipient },
  { title: 'sender', type: 'phone', value: ({ sender }) => sender },
  { title: 'subject', type: 'text', value: ({ subject }) => subject },
  { title: 'message', type: 'text', value: ({ message }) => message },
  { title: 'html', type: 'text', value: ({ html }) => html },
  { title: 'content', type: 'text', value: ({ content }) => content && JSON.stringify(content) },
  { title: 'segments', type: 'number', value: ({ segment }) => String(segment) },
  { title: 'price_usd', type: 'amount', value: ({ priceMicros }) => decimalFromMicros(priceMicros) },
  { title: 'error_code', type: 'text', value: ({ errorCode }) => errorCode },
  { title: 'reason', type: 'text', value: ({ reason }) => reason },
  { title: 'batch_id', type: 'text', value: ({ batchId }) => batchId },
  { title: 'scheduled_at', type: 'time', value: ({ scheduledAt }) => iso(scheduledAt) },
  { title: 'sent_at', type: 'time', value: ({ sentAt }) => iso(sentAt) },
  { title: 'delivered_at', type: 'time', value: ({ deliveredAt }) => iso(deliveredAt) },
  { title: 'read_at', type: 'time', value: ({ readAt }) => iso(readAt) },
  { title: 'identifier', type: 'text', value: ({ identifier }) => identifier },
]);

/** All messages of an account as lines of a CSV file, oldest first, page by page; the first piece has the titles. */
export async function* messageLines(db: Db, accountId: AccountId): AsyncGenerator<string[]> {
  yield [head];
  for (let after: ExportedMessage | undefined; ; ) {
    const page = await listAfter(db, { accountId, after, limit: PAGE });
    if (page.length > 0) yield page.map(line);
    after = page.at(-1);
    if (!after) return;
  }
}

interface Part {
  number: number;
  lines: AsyncIterable<string>;
}

export interface PartSize {
  lines?: number;
  characters?: number;
}

/**
 * Splits a long list into files, each with the titles. A part has to be read to its end before the next is requested.
 */
export async function* exportedFiles(
  pieces: AsyncIterable<string[]>,
  { lines: mostLines = PART_LINES, characters: mostCharacters = PART_CHARACTERS }: PartSize = {},
): AsyncGenerator<Part> {
  const rest = pieces[Symbol.asyncIterator]();
  const titles = ((await rest.next()).value as string[] | undefined)?.join('') ?? '';
  let next = await rest.next();
  const onePart = async function* () {
    yield titles;
    for (let lines = 0, characters = 0; !next.done && lines < mostLines && characters < mostCharacters; ) {
      const piece = next.value.join('');
      lines += next.value.length;
      characters += piece.length;
      yield piece;
      next = await rest.next();
    }
  };
  let number = 1;
  do {
    yield { number, lines: onePart() };
    number += 1;
  } while (!next.done);
}
