import type { Explained } from './explain-lanes.ts';
import { LASTING_RULES, PASSING_RULES, type RuleCode } from './rules.ts';

const ORDER = new Map<RuleCode, number>(
  [...LASTING_RULES, ...PASSING_RULES].map(({ code }, place) => [code, place]),
);

/** How many rules a lane passes before the one that stops it. */
const passedBy = ({ rule }: Explained): number =>
  rule === null ? Number.POSITIVE_INFINITY : (ORDER.get(rule) ?? 0);

/** Of lanes as they are judged, the one that comes nearest to having the message: of equals the first. */
export const nearestOf = (judged: readonly Explained[]): Explained | undefined =>
  judged.reduce<Explained | undefined>(
    (best, one) => (best === undefined || passedBy(one) > passedBy(best) ? one : best),
    undefined,
  );
