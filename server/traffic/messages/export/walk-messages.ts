import type { Db } from '../../../ground/postgres/index.ts';
import { readContactNames } from '../details/contact-names.ts';
import { inTime, isTooLong } from '../search/in-time.ts';
import { type CsvCursor, readNewest, type SearchCsvRow } from '../search/search-csv-store.ts';
import type { Search } from '../search/search-store.ts';
import { readTextsDone } from './texts-store.ts';

const HOUR_MS = 3_600_000;
/** Rows per query: enough that the query's overhead is small, few enough that nobody waits long behind it. */
const PAGE = 1_000;
/**
 * How much further the next query goes back if this one was not filled: between two files there may be nothing for
 * hours.
 */
const GROWTH = 16;
/** Many rows of a file have the same moment. */
const SHORTEST_MS = 100;

export interface NamedMessage extends SearchCsvRow {
  /** What the account calls the other party; empty without a name. */
  contactName: string;
}

export interface Walk {
  search: Search;
  /** Rows of a page. */
  pageSize?: number | undefined;
  /** How long a question may take. */
  limitMs?: number | undefined;
  /** Makes a query wait for a slot. */
  limited?: <T>(ask: () => Promise<T>) => Promise<T>;
}

/**
 * All matches, newest first, page by page from where the last one ended: nothing stays open in the database between two
 * pages, and the cost of a page does not grow with how many came before it. Each page goes back in time only as far as
 * it needs to: otherwise a filter that no index answers in the order of time would find and sort everything that is
 * left, again for every page. The span follows the density of the rows, and a query that took too long is repeated in
 * smaller parts.
 */
export async function* walkMessages(
  db: Db,
  { search, pageSize = PAGE, limitMs, limited = (ask) => ask() }: Walk,
  write: (message: NamedMessage) => string,
): AsyncGenerator<string> {
  const done = await readTextsDone(db);
  /** Only the text outlives the query: a slow client holds no rows. */
  const readPart = async (part: Search, before: CsvCursor | undefined, limit: number) => {
    const rows = await limited(() =>
      inTime(db, (trx) => readNewest(trx, part, { before, limit, done }), limitMs),
    );
    const nameOf = await readContactNames(db, rows);
    const last = rows.at(-1);
    // A full page, or one whose texts are long, is not the last.
    const isLast = !last || (last.found < limit && rows.length === last.found);
    const named = rows.map((row) => ({ ...row, contactName: nameOf(row) }));
    return { text: named.map(write).join(''), last: isLast ? undefined : last };
  };
  if (search.id) {
    // Found by its id whenever it was created.
    const { text } = await readPart(search, undefined, 1);
    if (text) yield text;
    return;
  }
  const start = search.from.getTime();
  let end = search.to.getTime();
  let stretchMs = HOUR_MS;
  let longestMs = Number.POSITIVE_INFINITY;
  let before: CsvCursor | undefined;
  while (end > start) {
    const from = new Date(Math.max(start, end - stretchMs));
    const part = await readPart({ ...search, from, to: new Date(end) }, before, pageSize).catch((error) => {
      const askedMs = end - from.getTime();
      if (!isTooLong(error) || askedMs <= HOUR_MS) throw error;
      longestMs = Math.max(HOUR_MS, askedMs / GROWTH);
    });
    if (!part) {
      stretchMs = longestMs;
      continue;
    }
    const { text, last } = part;
    if (text) yield text;
    if (last) {
      // The millisecond of the last row may have more of them.
      const reached = last.createdMs + 1;
      stretchMs = Math.max(SHORTEST_MS, 2 * (end - reached));
      end = reached;
    } else {
      end = from.getTime();
      stretchMs = Math.min(longestMs, stretchMs * GROWTH);
    }
    before = last;
  }
}
