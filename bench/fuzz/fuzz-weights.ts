import type { Endpoint } from '../../test/webhooks/endpoints.ts';
import type { Random } from './fuzz-random.ts';

const USUAL = 100;

/** Fewer of what costs the machine more than a row or two: the same seconds then hold many more requests. */
const COSTLY: readonly { weight: number; fits: (endpoint: Endpoint) => boolean }[] = [
  // Every password is hashed with 19 MB.
  { weight: 2, fits: ({ body }) => 'password' in ((body as { shape?: object } | undefined)?.shape ?? {}) },
  // They read the whole chain of what admins did, or begin work on every message there is: more with each request.
  {
    weight: 1,
    fits: ({ name }) => /^GET \/admin\/audit(\/verification|\.csv)$|^POST \/admin\/bulkActions$/.test(name),
  },
  // PDFs, archives and whole lists.
  { weight: 2, fits: ({ kind }) => kind === 'files' },
  { weight: 10, fits: ({ kind }) => kind === 'uploads' },
  // A connection of its own to a database, for each.
  { weight: 10, fits: ({ name }) => /^POST \/qf\//.test(name) },
  // They read whole tables or lists.
  { weight: 5, fits: ({ name }) => /^GET \/admin\/retention|^GET \/phoneNumberInventory$/.test(name) },
  // A mail, or events to a receiver.
  { weight: 10, fits: ({ name }) => /forgotPassword|webhook\/(test|replay)/.test(name) },
  // Many messages in one call.
  { weight: 20, fits: ({ name }) => /sendMany|resend$|uploads\/:uploadId\/send/.test(name) },
];

/** How often a call is made, where a usual one is made a hundred times. */
export const weightOf = (endpoint: Endpoint): number =>
  COSTLY.find(({ fits }) => fits(endpoint))?.weight ?? USUAL;

const shuffled = (list: number[], random: Random): number[] => {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = random.int(at + 1);
    [list[at], list[other]] = [list[other] as number, list[at] as number];
  }
  return list;
};

/** Whose turn is next: first each of them once, then rounds in which each comes as often as its weight says. */
export const openTurns = (weights: readonly number[], random: Random): (() => number) => {
  let round = weights.map((_, at) => at);
  let next = 0;
  return () => {
    if (next === round.length) {
      const all = weights.flatMap((weight, at) => Array<number>(weight).fill(at));
      round = shuffled(all, random);
      next = 0;
    }
    next += 1;
    return round[next - 1] as number;
  };
};
