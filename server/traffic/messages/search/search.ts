import type { Db } from '../../../ground/postgres/index.ts';
import { readTextsDone } from '../export/texts-store.ts';
import { type Countable, countByHour } from './counts-store.ts';
import { inTime } from './in-time.ts';
import {
  countMessages,
  type FoundMessage,
  readMessages,
  type Search,
  type SearchPage,
} from './search-store.ts';

const HOUR_MS = 3_600_000;
/** Fewer rows than these are skipped one by one as fast as by their hours, if every row matches. */
const SKIP_ROWS = 1_000;
/** Fewer rows than these are sorted by their last change as they are. */
const SORT_ROWS = 1_000;
/** How long before now, or the end of past days, the latest changes are looked for, one after the other. */
const LATEST_MS = [60_000, 600_000, 2 * HOUR_MS, 24 * HOUR_MS];
const LATEST_PATIENCE_MS = 1_000;

interface Span {
  from: Date;
  to: Date;
  count: number;
}

const hourUp = (moment: Date): Date => new Date(Math.ceil(moment.getTime() / HOUR_MS) * HOUR_MS);
const hourDown = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

/** Whether the counters have every dimension that is asked for: an account's are not by lane. */
const isCountable = ({
  accountId,
  id,
  idEnd,
  identifier,
  party,
  text,
  laneIds,
  carriers,
  batch,
  scheduled,
  delivered,
}: Search): boolean =>
  [id, idEnd, identifier, party, text, batch].every((filter) => filter === undefined) &&
  (accountId === undefined || (laneIds === undefined && carriers === undefined)) &&
  !scheduled &&
  !delivered;

/** A batch and nothing else: it knows how many messages it has. */
const sizeOfBatch = ({ batch, ...others }: Search): number | undefined =>
  isCountable(others) && isEveryRow(others) ? batch?.accepted : undefined;

/** Only a time and maybe an account, which the indexes cover: with any other filter, matches may be far apart. */
const isEveryRow = ({ status, channel, type, countries, laneIds, carriers }: Countable): boolean =>
  [status, channel, type, countries, laneIds, carriers].every((filter) => filter === undefined);

/**
 * How many there are in each span of time, the latest first: whole hours by the counters, and the rest at the ends by
 * the index.
 */
const spansOf = async (db: Db, search: Countable, done: Date): Promise<Span[]> => {
  const [first, last] = [hourUp(search.from), hourDown(search.to)];
  const ragged = async (from: Date, to: Date): Promise<Span[]> =>
    from < to ? [{ from, to, count: await countMessages(db, { ...search, from, to }, done) }] : [];
  if (first > last) return ragged(search.from, search.to);
  const hours = await countByHour(db, { ...search, from: first, to: last });
  return [
    ...(await ragged(last, search.to)),
    ...hours.map(({ hour, count }) => ({ from: hour, to: new Date(hour.getTime() + HOUR_MS), count })),
    ...(await ragged(search.from, first)),
  ];
};

/** The span of time that contains the page, and how many rows of it come before the page. */
const narrow = (spans: Span[], search: Search, place: SearchPage): { search: Search; skip: number } => {
  const inOrder = place.descending ? spans : spans.toReversed();
  let passed = 0;
  let at = 0;
  for (const { count } of inOrder) {
    if (passed + count > place.skip) break;
    passed += count;
    at += 1;
  }
  let end = at;
  for (let seen = passed; end < inOrder.length && seen < place.skip + place.limit; end++)
    seen += inOrder[end]?.count ?? 0;
  const used = inOrder.slice(at, end);
  if (used.length === 0) return { search, skip: place.skip };
  const from = new Date(Math.min(...used.map((span) => span.from.getTime())));
  const to = new Date(Math.max(...used.map((span) => span.to.getTime())));
  return { search: { ...search, from, to }, skip: place.skip - passed };
};

/** What was changed last, of many: whatever was changed since a moment comes before all else. */
const readLatest = async (
  db: Db,
  search: Search,
  place: SearchPage,
  options: Parameters<typeof readMessages>[3],
): Promise<FoundMessage[]> => {
  const begun = performance.now();
  const last = Math.min(Date.now(), search.to.getTime());
  for (const ms of LATEST_MS) {
    // Another short search would only delay the full one.
    if (performance.now() - begun > LATEST_PATIENCE_MS) break;
    const since = { ...search, updatedSince: new Date(last - ms) };
    const { messages } = await readMessages(db, since, place, options);
    if (messages.length === place.limit) return messages;
  }
  return (await readMessages(db, search, place, options)).messages;
};

interface Found {
  messages: FoundMessage[];
  total: number;
}

export interface SearchDeps {
  db: Db;
  /** How long a statement of it may take. */
  limitMs?: number | undefined;
}

/** A page and how many there are in all, as of one moment. */
export const searchMessages = (
  { db, limitMs }: SearchDeps,
  search: Search,
  place: SearchPage,
): Promise<Found> =>
  inTime(
    db,
    async (trx) => {
      const done = await readTextsDone(trx);
      const size = sizeOfBatch(search);
      if (size !== undefined) {
        const { messages } = await readMessages(trx, search, place, { done, count: false });
        return { messages, total: messages.length === 0 && place.skip === 0 ? 0 : size };
      }
      if (!isCountable(search)) {
        const { messages, counted } = await readMessages(trx, search, place, { done, count: true });
        const beyond = messages.length === 0 && place.skip > 0;
        return { messages, total: beyond ? await countMessages(trx, search, done) : counted };
      }
      const spans = await spansOf(trx, search, done);
      const total = spans.reduce((sum, { count }) => sum + count, 0);
      if (place.skip >= total) return { messages: [], total };
      if (place.sort === 'updatedAt' && place.descending && total > SORT_ROWS)
        return { messages: await readLatest(trx, search, place, { done, count: false }), total };
      const byTime = place.sort === 'createdAt';
      const near = place.skip < SKIP_ROWS && isEveryRow(search);
      const narrowed = byTime && !near ? narrow(spans, search, place) : { search, skip: place.skip };
      const there = { ...place, skip: narrowed.skip };
      const { messages } = await readMessages(trx, narrowed.search, there, { done, count: false });
      return { messages, total };
    },
    limitMs,
  );
