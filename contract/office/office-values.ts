/** Bounds and choices of figures, reports and queries. Apart from the calls: the browser loads no Zod. */

/** What the advanced report is broken down by. */
export const REPORT_DIMENSIONS = ['channel', 'country', 'carrier', 'provider', 'phone'] as const;

/** How many days the profile's figures cover, today included. */
export const GLANCE_DAYS = 30;

/** Added where the outer query has no limit of its own. */
export const QUERY_ROW_LIMIT = 1_000;
