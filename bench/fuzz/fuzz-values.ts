import fc from 'fast-check';
import { z } from 'zod';
import { hashOf, type Random } from './fuzz-random.ts';
import { HOSTILE_TEXTS, textFor } from './fuzz-texts.ts';

/** A value of the field that exists in the program at the moment, if there is one. */
export type Known = (field: string, random: Random) => unknown;
/** Makes a value that the schema takes. */
export type Make = (random: Random) => unknown;

/** The parts of Zod's definitions that are walked here: it has no public type for them. */
interface Def {
  type: string;
  format?: string;
  coerce?: boolean;
  innerType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  options?: readonly z.ZodType[];
  entries?: Record<string, string>;
  values?: readonly unknown[];
  in?: z.ZodType;
  pattern?: RegExp;
  checks?: readonly { _zod: { def: Rule } }[];
}
/** A rule of a schema: a bound of a length or a number, or a pattern. */
interface Rule {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: number;
  format?: string;
  pattern?: RegExp;
}
interface Bounds {
  min?: number;
  max?: number;
  format?: string;
  patterns: RegExp[];
}

const boundsOf = ({ format, pattern, checks = [] }: Def): Bounds => {
  const bounds: Bounds = { patterns: pattern ? [pattern] : [], ...(format && { format }) };
  for (const { _zod } of checks) {
    const { check, minimum, maximum, value, pattern: given } = _zod.def;
    const min = minimum ?? (check === 'greater_than' ? value : undefined);
    const max = maximum ?? (check === 'less_than' ? value : undefined);
    if (min !== undefined) bounds.min = min;
    if (max !== undefined) bounds.max = max;
    if (given) bounds.patterns.push(given);
  }
  return bounds;
};

const TRIES = 20;
/** Rules about several optional fields together are met by few of the values, so those that met them are kept. */
const RULES_TRIES = { first: 200, later: 4 };
const MOST_MET = 256;
const POOL = 64;
const KNOWN_SHARE = 0.7;
const USUAL_SHARE = 0.7;
/** Most lists are short: a full one is a request of megabytes. */
const FULL_LIST_SHARE = 0.002;

const DATES = ['2026-11-16', '2026-02-28', '2024-02-29', '1900-01-01', '2999-12-31', '1999-12-31'];
const NUMBERS = [0, 1, -1, 7, 20, 0.1, 19.99, 1e-7, 1e21, -0, 2 ** 31, 2 ** 53 - 1, -(2 ** 53)];
const URLS = ['https://files.invalid/a.png', 'https://files.invalid/%00', 'https://a.b.invalid:8443/x?y=z#w'];

const pools = new Map<string, string[]>();

/** Texts that match a pattern. Some patterns are beyond the generator; then whatever matches of the texts at hand. */
const matching = (pattern: RegExp): string[] => {
  const key = String(pattern);
  let pool = pools.get(key);
  if (!pool) {
    const free = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
    try {
      pool = fc.sample(fc.stringMatching(free), { seed: hashOf(key), numRuns: POOL });
    } catch {
      pool = [...HOSTILE_TEXTS, 'Ann', 'a file.pdf'].filter((text) => free.test(text));
    }
    // What only digits bound may be larger than any number of the database.
    pool.push(...['9'.repeat(18), '9'.repeat(19), '9223372036854775807'].filter((text) => free.test(text)));
    pools.set(key, pool);
  }
  return pool;
};

const makeText = (schema: z.ZodType, { min = 0, max, format, patterns }: Bounds, field: string): Make => {
  return (random) => {
    if (format === 'uuid') return random.uuid();
    if (format === 'date') return random.pick(DATES);
    if (format === 'datetime') return `${random.pick(DATES)}T00:00:00Z`;
    if (format === 'url') return random.pick(URLS);
    for (let left = TRIES; left > 0; left -= 1) {
      const text = patterns[0]
        ? random.pick(matching(patterns[0])).slice(0, max)
        : textFor(random, field, { min, ...(max !== undefined && { max }) });
      if (schema.safeParse(text).success) return text;
    }
    return 'x'.repeat(Math.max(min, 1));
  };
};

const makeNumber =
  (schema: z.ZodType, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds): Make =>
  (random) => {
    const span = max - min;
    for (let left = TRIES; left > 0; left -= 1) {
      const number = Number.isFinite(span)
        ? random.pick([min, max, min + random.int(Math.min(span, 50) + 1), min + random.int(span)])
        : random.pick([...NUMBERS, min, max].filter(Number.isFinite));
      if (schema.safeParse(number).success) return number;
    }
    return Number.isFinite(min) ? min : 1;
  };

/** How many entries a list has, between its bounds. */
const lengthOf = (random: Random, { min = 0, max = 5 }: Bounds): number =>
  random.chance(FULL_LIST_SHARE) ? max : Math.min(max, min + random.int(3));

const makeObject = (shape: Record<string, z.ZodType>, known: Known): Make => {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    optional: schema.safeParse(undefined).success,
    // One that has a default is mostly given, such as the text of a message.
    usual: schema._zod.def.type === 'default',
    make: makerOf(schema, known, name),
  }));
  return (random) => {
    const made: Record<string, unknown> = {};
    // Few of many optional fields: all at once mostly exclude each other.
    const share = random.pick([0, 0.05, 0.2, 0.5]);
    for (const { name, optional, usual, make } of fields)
      if (!optional || random.chance(usual ? USUAL_SHARE : share)) made[name] = make(random);
    return made;
  };
};

const makeRecord = (key: Make, value: Make): Make => {
  return (random) =>
    Object.fromEntries(Array.from({ length: random.int(4) }, () => [String(key(random)), value(random)]));
};

const walk = (schema: z.ZodType, known: Known, field: string): Make => {
  const def = schema._zod.def as unknown as Def;
  const bounds = boundsOf(def);
  const inner = (of: z.ZodType | undefined, name = field): Make => makerOf(of ?? z.unknown(), known, name);
  switch (def.type) {
    case 'string':
      return makeText(schema, bounds, field);
    case 'number':
      return makeNumber(schema, bounds);
    case 'boolean':
      return (random) => random.chance(0.5);
    case 'null':
      return () => null;
    case 'literal':
      return (random) => random.pick(def.values ?? []);
    case 'enum':
      return (random) => random.pick(Object.values(def.entries ?? {}));
    case 'object':
      return makeObject(def.shape ?? {}, known);
    case 'array': {
      const element = inner(def.element);
      return (random) => Array.from({ length: lengthOf(random, bounds) }, () => element(random));
    }
    case 'record':
      return makeRecord(inner(def.keyType, 'key'), inner(def.valueType, 'value'));
    case 'union': {
      const options = (def.options ?? []).map((option) => inner(option));
      return (random) => random.pick(options)(random);
    }
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return inner(def.innerType);
    case 'nullable': {
      const make = inner(def.innerType);
      return (random) => (random.chance(0.1) ? null : make(random));
    }
    case 'pipe':
      return inner(def.in);
    case 'any':
    case 'unknown':
      return (random) => random.pick<unknown>([null, 1, 'x', [], {}]);
    default:
      throw new Error(`no values can be made for ${def.type} (${field}): teach bench/fuzz/fuzz-values.ts`);
  }
};

/** Makes values that a schema takes: what exists in the program, what is natural, and what is hostile but allowed. */
export const makerOf = (schema: z.ZodType, known: Known, field = ''): Make => {
  const make = walk(schema, known, field);
  const isPlain = ['string', 'number', 'enum'].includes(schema._zod.def.type);
  // A list's are its bounds, which it is made within.
  const hasRules =
    schema._zod.def.type === 'object' && ((schema._zod.def as unknown as Def).checks ?? []).length > 0;
  const met: unknown[] = [];
  const meetRules: Make = (random) => {
    const tries = met.length < MOST_MET / 4 ? RULES_TRIES.first : RULES_TRIES.later;
    for (let left = tries; left > 0; left -= 1) {
      const value = make(random);
      if (!schema.safeParse(value).success) continue;
      met[met.length < MOST_MET ? met.length : random.int(MOST_MET)] = value;
      return value;
    }
    return met.length > 0 ? random.pick(met) : make(random);
  };
  return (random) => {
    if (isPlain && random.chance(KNOWN_SHARE)) {
      const value = known(field, random);
      if (value !== undefined && schema.safeParse(value).success) return value;
    }
    return isPlain || !hasRules ? make(random) : meetRules(random);
  };
};
