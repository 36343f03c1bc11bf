import { type RawBuilder, sql } from 'kysely';
import type { Piece } from './hour-spans.ts';

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
