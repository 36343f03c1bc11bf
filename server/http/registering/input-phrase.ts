import { type Label, type Phrase, text } from '../../ground/translations/index.ts';

/** What Zod says of an input: its kind, and what the rule asks for. */
export interface InputIssue {
  code: string;
  path: PropertyKey[];
  message: string;
  [detail: string]: unknown;
}

/** The rules of the contract that have words of their own there. */
const OWN_WORDS = [
  'input.own.code_of_language',
  'input.own.each_prefix_once',
  'input.own.name_of_file',
  'input.own.name_of_template',
  'input.own.one_field',
  'input.own.one_line',
  'input.own.one_way_to_choose',
] as const;
const ownWords = new Map(OWN_WORDS.map((label) => [text('en_US', label), label]));

const KINDS: Record<string, Label> = {
  string: 'input.type.string',
  number: 'input.type.number',
  int: 'input.type.int',
  boolean: 'input.type.boolean',
  array: 'input.type.array',
  object: 'input.type.object',
  record: 'input.type.object',
};

const FORMATS: Record<string, Label> = {
  date: 'input.format.date',
  datetime: 'input.format.datetime',
  email: 'input.format.email',
  uuid: 'input.format.uuid',
  url: 'input.format.url',
};

/** What is counted: of texts characters, of lists items, of numbers nothing. */
type Bound = 'string' | 'array' | 'number';
const boundOf = (origin: unknown): Bound =>
  origin === 'string' ? 'string' : origin === 'array' || origin === 'set' ? 'array' : 'number';
const MOST: Record<Bound, Label> = {
  string: 'input.most.string',
  array: 'input.most.array',
  number: 'input.most.number',
};
const LEAST: Record<Bound, Label> = {
  string: 'input.least.string',
  array: 'input.least.array',
  number: 'input.least.number',
};

const MOST_NAMED = 20;
const MOST_LETTERS = 60;
/** Names that the caller chose are repeated only as far as they help. */
const listed = (values: unknown): string =>
  (Array.isArray(values) ? values : [])
    .slice(0, MOST_NAMED)
    .map((value) => String(value).slice(0, MOST_LETTERS))
    .join(', ');

const tooBig = ({ origin, maximum, inclusive }: InputIssue): Phrase =>
  inclusive === false
    ? { label: 'input.below', values: { maximum: String(maximum) } }
    : { label: MOST[boundOf(origin)], values: { maximum: String(maximum) } };

const tooSmall = ({ origin, minimum, inclusive }: InputIssue): Phrase => {
  if (inclusive === false) return { label: 'input.above', values: { minimum: String(minimum) } };
  if (origin === 'string' && minimum === 1) return { label: 'input.empty' };
  return { label: LEAST[boundOf(origin)], values: { minimum: String(minimum) } };
};

const badFormat = ({ format, pattern }: InputIssue): Phrase => {
  const label = FORMATS[String(format)];
  if (label) return { label };
  return pattern === undefined
    ? { label: 'input.invalid' }
    : { label: 'input.format.pattern', values: { pattern: String(pattern) } };
};

const FAULTS: Record<string, (issue: InputIssue) => Phrase> = {
  invalid_type: ({ expected }) => ({ label: KINDS[String(expected)] ?? 'input.invalid' }),
  invalid_value: ({ values }) => ({ label: 'input.choice', values: { values: listed(values) } }),
  too_big: tooBig,
  too_small: tooSmall,
  invalid_format: badFormat,
  not_multiple_of: ({ divisor }) => ({ label: 'input.multiple', values: { divisor: String(divisor) } }),
  unrecognized_keys: ({ keys }) => ({ label: 'input.unknown_fields', values: { fields: listed(keys) } }),
  invalid_union: () => ({ label: 'input.no_kind' }),
};

/** What is wrong with an input, to be said in the reader's language: which field, and what it has to be. */
export const inputPhrase = (issue: InputIssue): Phrase => {
  const own = ownWords.get(issue.message);
  const fault: Phrase = own ? { label: own } : (FAULTS[issue.code]?.(issue) ?? { label: 'input.invalid' });
  const field = issue.path
    .map(String)
    .join('.')
    .slice(0, 3 * MOST_LETTERS);
  return field ? { label: 'input.at', values: { field, fault } } : fault;
};
