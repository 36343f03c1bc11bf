const HOUR_MS = 3_600_000;

/** A span of time: its first moment, and the first after it. */
export interface TimeSpan {
  from: Date;
  to: Date;
}

/** A part of one of several spans, by its index. */
export interface SpanPiece extends TimeSpan {
  span: number;
}

/** Whole hours (or more), which the counters have, and the rest at the ends, such as a time zone of half an hour leaves. */
export const cutAtHours = (
  spans: TimeSpan[],
  unitMs = HOUR_MS,
): { whole: SpanPiece[]; ragged: SpanPiece[] } => {
  const whole: SpanPiece[] = [];
  const ragged: SpanPiece[] = [];
  for (const [span, { from, to }] of spans.entries()) {
    const first = new Date(Math.ceil(+from / unitMs) * unitMs);
    const last = new Date(Math.floor(+to / unitMs) * unitMs);
    if (first > last) ragged.push({ span, from, to });
    else {
      if (first < last) whole.push({ span, from: first, to: last });
      if (from < first) ragged.push({ span, from, to: first });
      if (last < to) ragged.push({ span, from: last, to });
    }
  }
  return { whole, ragged };
};
