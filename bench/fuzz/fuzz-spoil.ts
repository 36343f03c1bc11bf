import type { Random } from './fuzz-random.ts';
import { HOSTILE_TEXTS } from './fuzz-texts.ts';

const LONG = 'x'.repeat(70_000);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Values of the wrong kind, and texts in the place of anything. */
const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 60,
  0.000_1,
  [],
  {},
  [[]],
  { toString: 1 },
  LONG,
  deep(200),
  ...HOSTILE_TEXTS,
];

type Holder = Record<string, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Some place inside of a value. */
const placeIn = (value: Holder, random: Random): { holder: Holder; key: string } | undefined => {
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  const key = random.pick(keys);
  const next = value[key];
  return (isHolder(next) && random.chance(0.6) && placeIn(next, random)) || { holder: value, key };
};

/** A value that is right but for one place. */
export const spoil = (value: unknown, random: Random): unknown => {
  if (!isHolder(value)) return random.pick(WRONG);
  const copy = structuredClone(value);
  const place = placeIn(copy, random);
  if (!place || random.chance(0.15)) {
    // Defined, because a plain assignment would set the prototype instead.
    const name = random.pick(['__proto__', 'constructor', 'extra', '']);
    Object.defineProperty(copy, name, { value: random.pick(WRONG), enumerable: true, configurable: true });
    return copy;
  }
  if (random.chance(0.3)) delete place.holder[place.key];
  else place.holder[place.key] = random.pick(WRONG);
  return copy;
};

/** What is sent in the place of a body: no JSON, half of it, or other JSON than the call wants. */
export const garbage = (body: string, random: Random): string =>
  random.pick([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '1e400',
    '{"a":1}garbage',
    '\u0000',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    body.slice(0, random.int(body.length + 1)),
    body.replace(/"/g, "'"),
    `\ufeff${body}`,
  ]);
