import type { Bar, Result } from '../definition.ts';
import type { Form } from './sending-stage.ts';

const STARTED: Record<Form, string> = { together: 'npm start', split: 'web and worker' };

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The name of a figure, which differs by how the program was started. */
export const figureOf = (form: Form, name: string): string =>
  form === 'together' ? name : `split${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A line of the table: what was measured, against what, and what the ratio of both must be. */
export interface Comparison {
  name: string;
  what: string;
  against: string;
  /** The ratio: at least so much, or at most. */
  bar: Pick<Bar, 'min' | 'max'>;
  /** What we would like. */
  aim?: number;
}

/** Ours and theirs of one round: messages a second, or milliseconds. */
export interface Pair {
  ours: number;
  theirs: number | undefined;
}

const limitOf = ({ min, max }: Comparison['bar']): string =>
  [min !== undefined && `≥ ${min}`, max !== undefined && `≤ ${max}`].filter(Boolean).join(', ');

export const lineOf = (form: Form, comparison: Comparison, rounds: Pair[]): Result => {
  const { name, what, against, bar, aim } = comparison;
  const ours = median(rounds.map((round) => round.ours));
  const both = rounds.flatMap((round) =>
    round.theirs === undefined ? [] : [{ ours: round.ours, theirs: round.theirs }],
  );
  const measured = both.length > 0 && {
    theirs: median(both.map((round) => round.theirs)),
    // Of each round: the machine's speed changes between rounds.
    ratio: median(both.map((round) => round.ours / round.theirs)),
  };
  const shown = (value: number): number => (value < 100 ? Number(value.toFixed(2)) : Math.round(value));
  return {
    rows: [
      {
        what,
        started: STARTED[form],
        Posthorn: shown(ours),
        against,
        theirs: measured ? shown(measured.theirs) : 'not measured',
        ratio: measured ? measured.ratio.toFixed(2) : '',
        bar: limitOf(bar),
        aim: aim ?? '',
      },
    ],
    figures: {
      [figureOf(form, name)]: ours,
      ...(measured && { [figureOf(form, `${name}Ratio`)]: measured.ratio }),
    },
    bars: [{ figure: figureOf(form, `${name}Ratio`), ...bar }],
  };
};

/** A line without anything to compare with. */
export const plainLine = (
  form: Form,
  { name, what, value, bar }: { name: string; what: string; value: number; bar?: Comparison['bar'] },
): Result => ({
  rows: [
    {
      what,
      started: STARTED[form],
      Posthorn: Number.isInteger(value) ? value : Number(value.toFixed(2)),
      bar: bar ? limitOf(bar) : '',
    },
  ],
  figures: { [figureOf(form, name)]: value },
  bars: bar ? [{ figure: figureOf(form, name), ...bar }] : [],
});

/** A line about something that this version of the program can't do. */
export const missingLine = (form: Form, { what, bar, aim }: Comparison): Result => ({
  rows: [{ what, started: STARTED[form], ratio: 'not available', bar: limitOf(bar), aim: aim ?? '' }],
  figures: {},
  bars: [],
});

export const join = (results: Result[]): Result => ({
  rows: results.flatMap(({ rows }) => rows),
  figures: Object.assign({}, ...results.map(({ figures }) => figures)),
  bars: results.flatMap(({ bars }) => bars),
});
