import { type RawBuilder, sql } from 'kysely';
import type { SpanPiece } from './hour-spans.ts';

export const pieces = (
  of: SpanPiece[],
): RawBuilder<unknown> => sql`unnest(${of.map(({ span }) => span)}::int[],
  ${of.map(({ from }) => from)}::timestamptz[], ${of.map(({ to }) => to)}::timestamptz[]) as s (span, since, until)`;

/**
 * The index, from 1, of the piece that contains a moment: one pass over the rows, where a join would read each row once
 * per piece. `within` has to exclude what is between two pieces.
 */
const placeOf = (moment: RawBuilder<unknown>, of: SpanPiece[]): RawBuilder<number> =>
  sql`width_bucket(${moment}, ${of.map(({ from }) => from)}::timestamptz[])`;
export const within = (moment: RawBuilder<unknown>, of: SpanPiece[]): RawBuilder<boolean> =>
  sql`${moment} >= ${of[0]?.from ?? null}::timestamptz and ${moment} < ${of.at(-1)?.to ?? null}::timestamptz
    and ${moment} < (${of.map(({ to }) => to)}::timestamptz[])[${placeOf(moment, of)}]`;
export const spanAt = (moment: RawBuilder<unknown>, of: SpanPiece[]): RawBuilder<number> =>
  sql`(${of.map(({ span }) => span)}::int[])[${placeOf(moment, of)}]`;
