import type { ReportDimension } from '../../../contract/office/reports.ts';

/** How many messages took how long: of a lane, which has the three names, or of a country or of a carrier. */
export interface Durations {
  /** From 1, in the order of the spans. */
  span: number;
  byLane: boolean;
  country: string | null;
  carrier: string | null;
  channel: string | null;
  provider: string | null;
  phone: string | null;
  /** Of duration_bucket(), and how many messages each has. */
  buckets: number[];
  messages: number[];
}

interface Named {
  span: number;
  dimension: ReportDimension | 'total';
  name: string;
}

interface Percentiles {
  /** The first bucket up to which that part of them lies; null if there are none. */
  median: number | null;
  p95: number | null;
}

const keyOf = ({ span, dimension, name }: Named): string => `${span} ${dimension} ${name}`;

/** What they are counted for. */
const namesOf = ({ span, byLane, country, carrier, channel, provider, phone }: Durations): Named[] => {
  if (country !== null) return [{ span, dimension: 'country', name: country }];
  if (carrier !== null) return [{ span, dimension: 'carrier', name: carrier }];
  if (!byLane) return [];
  return [
    { span, dimension: 'total', name: '' },
    { span, dimension: 'provider', name: provider ?? '' },
    ...(phone ? [{ span, dimension: 'phone', name: phone } as const] : []),
    ...(channel ? [{ span, dimension: 'channel', name: channel } as const] : []),
  ];
};

const percentilesOf = (counts: Map<number, number>): Percentiles => {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, messages]) => sum + messages, 0);
  const firstUpTo = (percent: number): number | null => {
    let upTo = 0;
    for (const [bucket, messages] of sorted) {
      upTo += messages;
      if (upTo * 100 >= all * percent) return bucket;
    }
    return null;
  };
  return { median: firstUpTo(50), p95: firstUpTo(95) };
};

/** The percentiles of each name in each span. */
export const openPercentiles = (durations: Durations[]): ((named: Named) => Percentiles) => {
  const counts = new Map<string, Map<number, number>>();
  for (const one of durations)
    for (const key of namesOf(one).map(keyOf)) {
      const known = counts.get(key) ?? new Map<number, number>();
      counts.set(key, known);
      for (const [at, bucket] of one.buckets.entries())
        known.set(bucket, (known.get(bucket) ?? 0) + (one.messages[at] ?? 0));
    }
  return (named) => percentilesOf(counts.get(keyOf(named)) ?? new Map());
};
