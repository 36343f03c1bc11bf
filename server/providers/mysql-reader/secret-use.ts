import type { Use } from '../../office/query/reader.ts';
import { readTokens, type Token, textAt, unwrapped } from './tokens.ts';

/** The columns that are marked secret; all names are folded. */
export interface MysqlSecrets {
  /** `database.table.column`. */
  places: Set<string>;
  tables: Set<string>;
  columns: Set<string>;
}

/** They hold values of columns, or statements with such values. */
const STATISTICS =
  /^(column_stats|column_statistics|general_log|slow_log|events_statements_\w{1,60}|threads|(x\$)?processlist|(x\$)?session|data_locks|innodb_locks)$/;
const SET_OPERATORS = new Set(['union', 'except', 'intersect', 'minus']);
const ALIAS = /^\w{1,64}$/;
/** What ends an ORDER BY. Not OFFSET, which may be the name of a column. */
const BEHIND_ORDER = new Set([...SET_OPERATORS, 'limit', 'fetch', 'for', 'lock']);

/** As the server compares names, or a little wider: without case, accents and other forms of the same letter. */
export const folded = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** What a token may name; texts only as an alias. */
const nameOf = ({ kind, text }: Token): string => {
  if (kind === 'word') return folded(text);
  if (kind === 'sign') return '';
  const quote = text[0] ?? '';
  return folded(text.slice(1, -1).replaceAll(quote + quote, quote));
};
const isName = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'name';

/** All that a statement names, as often as it does. */
export const identifiersIn = (tokens: Token[]): string[] => tokens.filter(isName).map(nameOf);

/** The tokens outside any brackets, by their places. */
const outerPlaces = (tokens: Token[]): number[] => {
  let depth = 0;
  return [...tokens.keys()].filter((at) => {
    const sign = textAt(tokens, at);
    if (sign === ')') depth -= 1;
    if (sign === '(') depth += 1;
    return depth === 0;
  });
};

/** A column of the outermost select that stands there by itself; its name is `*` for all columns. */
interface Output {
  column: string;
  alias: Token | undefined;
}

/** One item of a select list: names with dots, and perhaps an alias. Undefined for everything else. */
const outputOf = (item: Token[]): Output | undefined => {
  let at = 0;
  while (isName(item[at]) && textAt(item, at + 1) === '.') at += 2;
  const last = item[at];
  const rest = item.slice(at + 1);
  if (last && textAt(item, at) === '*')
    return rest.length === 0 ? { column: '*', alias: undefined } : undefined;
  if (!isName(last)) return undefined;
  const [alias, ...more] = textAt(rest, 0) === 'as' ? rest.slice(1) : rest;
  if (more.length > 0 || alias?.kind === 'sign') return undefined;
  return { column: nameOf(last), alias };
};

const outputsOf = (tokens: Token[]): Output[] => {
  const outer = outerPlaces(tokens);
  if (outer.some((at) => SET_OPERATORS.has(textAt(tokens, at)))) return [];
  if (textAt(tokens, 0) === 'table') return [{ column: '*', alias: undefined }];
  const begin = outer.find((at) => textAt(tokens, at) === 'select') ?? tokens.length;
  const end = outer.find((at) => at > begin && textAt(tokens, at) === 'from') ?? begin;
  const cuts = outer.filter((at) => at > begin && at < end && textAt(tokens, at) === ',');
  return [begin, ...cuts].flatMap((cut, at) => outputOf(tokens.slice(cut + 1, cuts[at] ?? end)) ?? []);
};

/** By its place or by a group, an order of a secret tells which are equal or larger. */
const orderIn = (tokens: Token[]): string | undefined => {
  const outer = outerPlaces(tokens);
  const word = outer
    .map((at) => textAt(tokens, at))
    .find((text) => /^(distinct|distinctrow|group)$/.test(text));
  if (word) return word.toUpperCase();
  const order = outer.find((at) => textAt(tokens, at) === 'order');
  if (order === undefined) return undefined;
  const end = outer.find((at) => at > order && BEHIND_ORDER.has(textAt(tokens, at))) ?? tokens.length;
  const isPlace = tokens
    .slice(order, end)
    .some(({ kind, text }) => kind === 'word' && /^(\d|true$|false$)/.test(text));
  return isPlace ? 'ORDER BY' : undefined;
};

const countOf = (names: string[], wanted: string): number => names.filter((name) => name === wanted).length;

/** What would show all columns without naming them, apart from the outermost select. */
const starIn = (tokens: Token[], outputs: Output[]): string | undefined => {
  // Behind a factor neither can stand.
  const stars = tokens.filter(
    (_, at) => textAt(tokens, at) === '*' && /^(,|from)$/.test(textAt(tokens, at + 1)),
  );
  const direct = outputs.filter(({ column }) => column === '*').length;
  const isTable = (at: number) =>
    at > 0 && textAt(tokens, at) === 'table' && !/^(create|show)$/.test(textAt(tokens, at - 1));
  if ([...tokens.keys()].some(isTable)) return 'TABLE';
  return stars.length > (textAt(tokens, 0) === 'table' ? 0 : direct) ? '*' : undefined;
};

/**
 * A secret may be named only as a column of the outermost select, alone or by `*`: there its name in the answer is
 * known, and it is masked. A statement that does not name a table with secrets can't read one: views over these make
 * the zone unsafe, and the user runs no functions.
 */
export const traceSecrets = (sql: string, { tables, columns }: MysqlSecrets): Use => {
  const refuse = (what: string): Use => ({ kind: 'untraceable', what });
  const read = readTokens(sql);
  if (read.kind !== 'read') return refuse(sql.slice(read.position, read.position + 20));
  const tokens = unwrapped(read.tokens.filter(({ text }) => text !== ';'));
  const names = identifiersIn(tokens);
  const statistics = names.find((name) => STATISTICS.test(name));
  if (statistics) return refuse(statistics);
  if (!names.some((name) => tables.has(name))) return { kind: 'traced', names: new Set() };

  const outputs = outputsOf(tokens);
  const shown = outputs.filter(({ column }) => column === '*' || columns.has(column));
  const star = starIn(tokens, outputs);
  if (star) return refuse(star);
  for (const column of columns)
    if (
      countOf(names, column) >
      countOf(
        shown.map((output) => output.column),
        column,
      )
    )
      return refuse(column);
  if (tokens.some((_, at) => textAt(tokens, at) === 'natural')) return refuse('NATURAL JOIN');
  const order = shown.length > 0 ? orderIn(tokens) : undefined;
  if (order) return refuse(order);
  const aliases = shown.flatMap(({ alias }) => alias ?? []);
  for (const alias of aliases) {
    const name = nameOf(alias);
    // The server trims and cuts others; and elsewhere, as in HAVING, an alias stands for the secret.
    if (!ALIAS.test(name) || countOf(names, name) > Number(isName(alias))) return refuse(name);
  }
  return { kind: 'traced', names: new Set([...columns, ...aliases.map(nameOf)]) };
};
