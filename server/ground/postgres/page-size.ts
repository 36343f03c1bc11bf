import { type RawBuilder, sql } from 'kysely';

/** Of the texts of a page: some rows are as long as a book, and many of those at once would not fit in memory. */
const PAGE_BYTES = 1_000_000;

/**
 * A column of a page of rows: how much comes before each, by this size and in this order. `octet_length` of a column is
 * known without reading it. The rows for which `fitsPage` holds are the page: it ends with the row that fills it.
 */
export const pageBefore = ({ size, order }: { size: RawBuilder<unknown>; order: RawBuilder<unknown> }) =>
  sql`sum(${size}) over (order by ${order} rows between unbounded preceding and 1 preceding) as before_in_page`;

export const fitsPage = sql`coalesce(before_in_page, 0) < ${PAGE_BYTES}`;
