import type { AccountId } from '../../contract/accounts.ts';
import { decimalFromMicros } from '../../contract/money.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import type { Db } from '../postgres/index.ts';
import { type ExportedMessage, listAfter } from './export-store.ts';

const PAGE = 1_000;
/** Spreadsheets read 1,048,576 rows; an archive's file has to stay below 4 GB. */
const PART_LINES = 1_000_000;
const PART_CHARACTERS = 500_000_000;

const TITLES = [
  'id',
  'created_at',
  'type',
  'channel',
  'status',
  'test',
  'recipient',
  'sender',
  'subject',
  'message',
  'html',
  'content',
  'segments',
  'price_usd',
  'error_code',
  'reason',
  'batch_id',
  'scheduled_at',
  'sent_at',
  'delivered_at',
  'read_at',
  'identifier',
];

const iso = (moment: Date | null): string => moment?.toISOString() ?? '';

const lineOf = (row: ExportedMessage): string =>
  csvLine([
    row.id,
    row.createdAt,
    row.type,
    row.channel,
    row.status,
    String(row.test),
    row.recipient,
    row.sender ?? '',
    row.subject ?? '',
    row.message,
    row.html ?? '',
    row.content ? JSON.stringify(row.content) : '',
    String(row.segment),
    decimalFromMicros(row.priceMicros),
    row.errorCode,
    row.reason,
    row.batchId ?? '',
    iso(row.scheduledAt),
    iso(row.sentAt),
    iso(row.deliveredAt),
    iso(row.readAt),
    row.identifier ?? '',
  ]);

/** All messages of an account as lines of a CSV file, oldest first, page by page; the first piece has the titles. */
export async function* messageLines(db: Db, accountId: AccountId): AsyncGenerator<string[]> {
  yield [CSV_START + csvLine(TITLES)];
  for (let after: ExportedMessage | undefined; ; ) {
    const page = await listAfter(db, { accountId, after, limit: PAGE });
    if (page.length > 0) yield page.map(lineOf);
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
export async function* partsOf(
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
