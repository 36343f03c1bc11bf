import parserPackage from 'node-sql-parser/build/mariadb.js';
import type { QueryRefusal } from '../../../contract/office/query.ts';
import type { StatementVerdict } from '../../office/query/reader.ts';
import { privateNameAt } from './private-names.ts';
import { largeIn } from './sizes.ts';
import { readTokens, type Token, textAt, unwrapped, withoutComments } from './tokens.ts';

const parser = new parserPackage.Parser();

/** What a read-only transaction and a user without privileges don't stop: waiting, locks of other sessions, files. */
const FORBIDDEN =
  /^(sleep|benchmark|get_lock|release_lock|release_all_locks|load_file|master_pos_wait|master_gtid_wait|source_pos_wait|wait_for_executed_gtid_set|wait_until_sql_thread_after_gtids|sys_exec|sys_eval|sys_get|sys_set|nextval|setval|lastval|name_const)$/;
/** Statements that show something, and take no query. */
const SHOWING = ['show', 'desc', 'describe', 'help'];
const EXPLAINING = ['explain', 'analyze', 'desc', 'describe'];
const EXPLAINED = ['select', 'with', 'values'];
const WRITING = ['insert', 'replace', 'update', 'delete', 'load', 'call'];
const READING = ['select', 'with', 'values', 'table'];
const NESTING = 200;
/** The parser takes about a second for so many. */
const MOST_TOKENS = 10_000;
/** Of the statement, in a message. */
const MOST_QUOTED = 60;

const refuse = (reason: QueryRefusal, detail = '', position?: number): StatementVerdict => ({
  kind: 'refused',
  reason,
  detail,
  position,
});

/** Reserved words: without quotes they are never names. */
const faultIn = (tokens: Token[]): StatementVerdict | undefined => {
  let depth = 0;
  for (const [at, { begin, text }] of tokens.entries()) {
    const here = textAt(tokens, at);
    const next = textAt(tokens, at + 1);
    if (here === '(') depth += 1;
    if (here === ')') depth -= 1;
    if (depth > NESTING) return refuse('deep', '', begin);
    if (here === 'into') return refuse('into', '', begin);
    if (here === 'for' && (next === 'update' || next === 'share')) return refuse('locks', '', begin);
    if (here === 'lock' && next === 'in') return refuse('locks', '', begin);
    if (here === 'procedure') return refuse('kind', 'PROCEDURE', begin);
    const shown = privateNameAt(tokens, at);
    if (shown) return refuse('private', shown, begin);
    // A function may be named in quotes too.
    const name = tokens[at]?.kind === 'name' ? text.slice(1, -1).toLowerCase() : here;
    if (next === '(' && FORBIDDEN.test(name)) return refuse('function', name, begin);
    if ((here === 'next' || here === 'previous') && next === 'value')
      return refuse('function', 'nextval', begin);
  }
  return undefined;
};

interface Select {
  type?: string;
  _next?: Select;
}

/** Whether the outer query has a limit of its own: LIMIT and FETCH are reserved words. */
const hasLimit = (tokens: Token[]): boolean => {
  let depth = 0;
  return unwrapped(tokens).some((_, at, inner) => {
    const word = textAt(inner, at);
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return depth === 0 && (word === 'limit' || word === 'fetch');
  });
};

/** Where the statement begins that is explained or analyzed: behind the word and its options. */
const explainedAt = (tokens: Token[]): number => {
  let at = 1;
  while (
    ['extended', 'partitions', 'format', '=', 'json', 'tree', 'traditional', '('].includes(textAt(tokens, at))
  )
    at += 1;
  return at;
};

/** The servers take these for names wherever a name may be; the parser only in quotes. */
const NAMES = ['contains', 'global', 'local', 'session', 'status'];
const forParser = (sql: string, tokens: Token[]): string =>
  withoutComments(sql, tokens, (text, at) =>
    NAMES.includes(textAt(tokens, at)) && textAt(tokens, at + 1) !== '(' ? `\`${text}\`` : text,
  );

/** Of the parser: where it stopped. Its message lists all that it would have understood there. */
interface ParserFault {
  location?: { start: { offset: number } };
}

/** The place in the statement of what stands at this place without comments, where dashes may have been parted. */
const faultAt = (sql: string, tokens: Token[], offset: number): StatementVerdict => {
  const parsed = forParser(sql, tokens);
  // The parser counts from the first word.
  const blanks = parsed.length - parsed.trimStart().length;
  const read = readTokens(parsed);
  const at = read.kind === 'read' ? read.tokens.findIndex(({ end }) => end > blanks + offset) : -1;
  const token = tokens[at];
  if (!token) return refuse('unfinished', '', tokens.at(-1)?.end);
  return refuse('unreadable', sql.slice(token.begin, token.end).slice(0, MOST_QUOTED), token.begin);
};

/** A parser of our own choice, not the server's: what it can't read is refused. */
const parse = (sql: string, tokens: Token[]): Select | StatementVerdict => {
  try {
    const { ast } = parser.parse(forParser(sql, tokens), { database: 'MariaDB' }) as {
      ast: Select | Select[];
    };
    const all = Array.isArray(ast) ? ast : [ast];
    const [select = {}, second] = all;
    if (second) return refuse('many');
    for (let part: Select | undefined = select; part; part = part._next)
      if (part.type !== 'select') return refuse('kind', part.type ?? '');
    return select;
  } catch (error) {
    // The stack ran over: whoever runs the thread has to know.
    if (error instanceof RangeError) throw error;
    const { location } = error as ParserFault;
    return faultAt(sql, tokens, location?.start.offset ?? 0);
  }
};

/** Judges by what MySQL and MariaDB take for words, texts and comments, and by a parser of their dialect. */
export const judgeMysql = async (sql: string): Promise<StatementVerdict> => {
  if (sql.includes('\0')) return refuse('syntax', 'NUL', sql.indexOf('\0'));
  const read = readTokens(sql);
  if (read.kind === 'executable') return refuse('comment', '', read.position);
  if (read.kind === 'open')
    return refuse('unclosed', sql.slice(read.position, read.position + 20), read.position);
  let { tokens } = read;
  while (textAt(tokens, tokens.length - 1) === ';') tokens = tokens.slice(0, -1);
  const [first] = tokens;
  if (!first) return refuse('empty');
  const end = tokens.findIndex((_, at) => textAt(tokens, at) === ';');
  if (end >= 0) return refuse('many', '', tokens[end]?.begin);
  if (tokens.length > MOST_TOKENS) return refuse('deep');
  const fault = faultIn(tokens);
  if (fault) return fault;
  const large = largeIn(tokens);
  if (large) return refuse('large', large.what, large.position);

  const plain = {
    kind: 'reads',
    sql: withoutComments(sql, tokens),
    limited: false,
    begin: 0,
  } as const;
  const word = textAt(
    tokens,
    tokens.findIndex((_, at) => textAt(tokens, at) !== '('),
  );
  if (EXPLAINING.includes(word)) {
    const inner = explainedAt(tokens);
    const what = textAt(tokens, inner);
    if (WRITING.includes(what)) return refuse('writes', what.toUpperCase(), tokens[inner]?.begin);
    if (EXPLAINED.includes(what)) {
      const verdict = parse(sql, tokens.slice(inner));
      return 'kind' in verdict ? verdict : plain;
    }
    // As SHOW EXPLAIN does: EXPLAIN FOR CONNECTION tells of another's statement. The word is reserved.
    const foreign = tokens.findIndex((_, at) => textAt(tokens, at) === 'for');
    if (foreign >= 0) return refuse('private', `${word} for`, tokens[foreign]?.begin);
  }
  if (SHOWING.includes(word)) return plain;
  if (!READING.includes(word)) return refuse('kind', word.toUpperCase(), first.begin);
  const select = parse(sql, tokens);
  if ('kind' in select) return select;
  return { ...plain, limited: !hasLimit(tokens) };
};
