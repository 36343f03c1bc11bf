import { type RawBuilder, sql } from 'kysely';

const HOUR_MS = 3_600_000;

/** A stretch of time: its first moment, and the first after it. */
export interface Span {
  from: Date;
  to: Date;
}

interface Piece extends Span {
  span: number;
}

const hourUp = (moment: Date): Date => new Date(Math.ceil(moment.getTime() / HOUR_MS) * HOUR_MS);
const hourDown = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

/** Whole hours, which the counters know, and what a time zone of half an hour leaves over at the ends. */
export const cut = (spans: Span[]): { whole: Piece[]; ragged: Piece[] } => {
  const whole: Piece[] = [];
  const ragged: Piece[] = [];
  for (const [span, { from, to }] of spans.entries()) {
    const [first, last] = [hourUp(from), hourDown(to)];
    if (first > last) ragged.push({ span, from, to });
    else {
      if (first < last) whole.push({ span, from: first, to: last });
      if (from < first) ragged.push({ span, from, to: first });
      if (last < to) ragged.push({ span, from: last, to });
    }
  }
  return { whole, ragged };
};

export const pieces = (of: Piece[]): RawBuilder<unknown> => sql`unnest(${of.map(({ span }) => span)}::int[],
  ${of.map(({ from }) => from)}::timestamptz[], ${of.map(({ to }) => to)}::timestamptz[]) as s (span, since, until)`;

/**
 * Which of the pieces, in their order, a moment lies in, as its place from 1 on: one pass over the rows, where a
 * join would look at each row once for every piece. What lies between two pieces has to be left out by `within`.
 */
export const placeOf = (moment: RawBuilder<unknown>, of: Piece[]): RawBuilder<number> =>
  sql`width_bucket(${moment}, ${of.map(({ from }) => from)}::timestamptz[])`;
export const within = (moment: RawBuilder<unknown>, of: Piece[]): RawBuilder<boolean> =>
  sql`${moment} >= ${of[0]?.from ?? null}::timestamptz and ${moment} < ${of.at(-1)?.to ?? null}::timestamptz
    and ${moment} < (${of.map(({ to }) => to)}::timestamptz[])[${placeOf(moment, of)}]`;
export const spanAt = (moment: RawBuilder<unknown>, of: Piece[]): RawBuilder<number> =>
  sql`(${of.map(({ span }) => span)}::int[])[${placeOf(moment, of)}]`;
