import type { Db } from '../postgres/index.ts';
import { inTime, isTooLong } from './in-time.ts';
import { type ExportedMessage, type Key, readNewest } from './search-csv-store.ts';
import type { Search } from './search-store.ts';
import { readTextsDone } from './texts-store.ts';

const HOUR_MS = 3_600_000;
/** Rows of one question: enough that asking costs little, few enough that nobody waits long behind them. */
const PAGE = 1_000;
/** How much farther the next look goes back when this one was not filled: between two files nothing lies for hours. */
const GROWTH = 16;
/** Many rows of a file bear the same moment. */
const SHORTEST_MS = 100;

export interface Walk {
  search: Search;
  /** Rows of a page. */
  pageSize?: number | undefined;
  /** How long a question may take. */
  limitMs?: number | undefined;
  /** Lets a question to the database wait for its turn. */
  inTurn?: <T>(ask: () => Promise<T>) => Promise<T>;
}

/**
 * All that fits, newest first, page by page from where the last one ended: nothing is held open in the database
 * between two pages, and what a page costs does not grow with how many came before it.
 *
 * Each page looks only so far back in time as it needs to: without that, a filter that no index answers in the
 * order of time would find and sort everything that is left, again for every page. The stretch follows how densely
 * the rows lie, and what took too long is asked for in smaller parts.
 */
export async function* walkMessages(
  db: Db,
  { search, pageSize = PAGE, limitMs, inTurn = (ask) => ask() }: Walk,
  write: (message: ExportedMessage) => string,
): AsyncGenerator<string> {
  const done = await readTextsDone(db);
  /** Only the text outlives the question: whoever reads slowly holds no rows. */
  const readPart = async (part: Search, before: Key | undefined, limit: number) => {
    const rows = await inTurn(() =>
      inTime(db, (trx) => readNewest(trx, part, { before, limit, done }), limitMs),
    );
    const last = rows.at(-1);
    return { text: rows.map(write).join(''), last: rows.length === limit ? last : undefined };
  };
  if (search.id) {
    // Found by its id whenever it was made.
    yield (await readPart(search, undefined, 1)).text;
    return;
  }
  const start = search.from.getTime();
  let end = search.to.getTime();
  let stretchMs = HOUR_MS;
  let longestMs = Number.POSITIVE_INFINITY;
  let before: Key | undefined;
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
