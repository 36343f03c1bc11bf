import type { Db } from '../postgres/index.ts';
import { type ExportedMessage, type Key, readNewest } from './export-store.ts';
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
  /** Lets a question to the database wait for its turn. */
  inTurn?: <T>(ask: () => Promise<T>) => Promise<T>;
}

/**
 * All that fits, newest first, page by page from where the last one ended: nothing is held open in the database
 * between two pages, and what a page costs does not grow with how many came before it.
 *
 * Each page looks only so far back in time as it needs to: without that, a filter that no index answers in the
 * order of time would find and sort everything that is left, again for every page. The stretch follows how densely
 * the rows lie.
 */
export async function* walkMessages(
  db: Db,
  { search, pageSize = PAGE, inTurn = (ask) => ask() }: Walk,
): AsyncGenerator<ExportedMessage[]> {
  const done = await readTextsDone(db);
  if (search.id) {
    // Found by its id whenever it was made.
    yield await inTurn(() => readNewest(db, search, { before: undefined, limit: 1, done }));
    return;
  }
  const start = search.from.getTime();
  let end = search.to.getTime();
  let stretchMs = HOUR_MS;
  let before: Key | undefined;
  while (end > start) {
    const from = new Date(Math.max(start, end - stretchMs));
    const part = { ...search, from, to: new Date(end) };
    const page = await inTurn(() => readNewest(db, part, { before, limit: pageSize, done }));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last && page.length === pageSize) {
      // The millisecond of the last row may have more of them.
      const reached = last.createdAt.getTime() + 1;
      stretchMs = Math.max(SHORTEST_MS, 2 * (end - reached));
      before = last;
      end = reached;
    } else {
      before = undefined;
      end = from.getTime();
      stretchMs *= GROWTH;
    }
  }
}
