import type { QueryEngineName } from '../../../contract/office/query.ts';

/** Brackets, and CASE, inside each other. */
const MOST_NESTED = 200;
/** Operators that work on each other's results, in all brackets that are open: `a+a+a…`, `not not…`, `x::t::t…`. */
const MOST_CHAINED = 1_000;
/** The parser of the MariaDB zone reads what is cast several times over: each cast inside another takes four times as long. */
const MOST_CASTS = 6;

const WORD = /[\p{L}\p{N}_$@]+/uy;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const SPACE = /\s/;
const OPENING = '([{';
const CLOSING = ')]}';
const OPERATOR = /[-+*/%^<>=~!|&:#]/;
/** What stands on the two sides of these is no longer one chain. */
const PARTING = new Set(
  'and or select from where having by on using when then else union except intersect join limit as set values'.split(
    ' ',
  ),
);

const matchAt = (pattern: RegExp, sql: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
};
const behind = (sql: string, mark: string, from: number): number => {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
};

const endOfQuoted = (sql: string, begin: number, escapes: boolean): number => {
  const quote = sql[begin];
  for (let at = begin + 1; at < sql.length; at += 1) {
    if (escapes && sql[at] === '\\') at += 1;
    // A doubled quote begins a new text at once, which is the same here.
    else if (sql[at] === quote) return at + 1;
  }
  return sql.length;
};

/** In PostgreSQL comments stand inside each other. */
const endOfNestedComment = (sql: string, begin: number): number => {
  let depth = 0;
  for (let at = begin; at < sql.length; at += 1) {
    if (sql.startsWith('/*', at)) depth += 1;
    else if (sql.startsWith('*/', at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return sql.length;
};

/** Where a comment or a text that begins here ends; undefined if none begins. */
const skipped = (sql: string, at: number, engine: QueryEngineName): number | undefined => {
  const sign = sql[at] ?? '';
  const isPostgres = engine === 'postgres';
  if (sign === "'" || sign === '"' || (sign === '`' && !isPostgres)) {
    const escapes = isPostgres
      ? sign === "'" && /(^|[^\p{L}\p{N}_$])e$/iu.test(sql.slice(Math.max(0, at - 3), at))
      : true;
    return endOfQuoted(sql, at, escapes && sign !== '`');
  }
  if (sql.startsWith('--', at) && (isPostgres || (sql.charCodeAt(at + 2) || 0) <= 0x20))
    return behind(sql, '\n', at);
  if (sign === '#' && !isPostgres) return behind(sql, '\n', at);
  if (sql.startsWith('/*', at)) return isPostgres ? endOfNestedComment(sql, at) : behind(sql, '*/', at + 2);
  const tag = isPostgres && sign === '$' ? matchAt(DOLLAR_TAG, sql, at) : undefined;
  return tag === undefined ? undefined : behind(sql, tag, at + tag.length);
};

interface Open {
  kind: 'bracket' | 'case' | 'cast';
  chained: number;
}

/**
 * Where a statement is nested too deeply, or an operation too long, by a look at its signs and words alone: before a
 * parser sees it, in time that grows with its length and no faster. Undefined for what people write; what it overlooks
 * the parser's thread is bounded for.
 */
export const deepAt = (sql: string, engine: QueryEngineName): number | undefined => {
  const open: Open[] = [{ kind: 'bracket', chained: 0 }];
  let chained = 0;
  let casts = 0;
  let before = '';
  const part = () => {
    const here = open.at(-1);
    if (!here) return;
    chained -= here.chained;
    here.chained = 0;
  };
  const enter = (kind: Open['kind']) => {
    open.push({ kind, chained: 0 });
    if (kind === 'cast') casts += 1;
  };
  const leave = () => {
    if (open.length === 1) return;
    part();
    if (open.pop()?.kind === 'cast') casts -= 1;
  };
  const chain = () => {
    const here = open.at(-1);
    if (here) here.chained += 1;
    chained += 1;
  };
  for (let at = 0; at < sql.length; ) {
    const end = skipped(sql, at, engine);
    if (end !== undefined) {
      at = end;
      before = '';
      continue;
    }
    const sign = sql[at] ?? '';
    const word = matchAt(WORD, sql, at)?.toLowerCase();
    if (word === 'case') enter('case');
    else if (word === 'end' && open.at(-1)?.kind === 'case') leave();
    else if (word === 'not') chain();
    else if (word !== undefined ? PARTING.has(word) : sign === ',' || sign === ';') part();
    else if (OPENING.includes(sign)) enter(before === 'cast' ? 'cast' : 'bracket');
    else if (CLOSING.includes(sign)) {
      // What a CASE left open inside these brackets ends with them.
      while (open.at(-1)?.kind === 'case') leave();
      leave();
    } else if (OPERATOR.test(sign)) chain();
    if (open.length > MOST_NESTED || chained > MOST_CHAINED) return at;
    if (engine === 'mysql' && casts > MOST_CASTS) return at;
    if (word !== undefined || !SPACE.test(sign)) before = word ?? sign;
    at += word?.length ?? 1;
  }
  return undefined;
};
