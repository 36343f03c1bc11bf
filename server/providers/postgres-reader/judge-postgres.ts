import { loadModule, parseSync } from 'libpg-query';
import type { QueryRefusal } from '../../../contract/office/query.ts';
import type { StatementVerdict } from '../../office/query/reader.ts';
import { unitsBefore } from './fault-place.ts';
import { isForbidden, tellsOfOthers } from './forbidden-functions.ts';
import { callsOf, leadOf, type Node, placeOf, walk } from './parse-tree.ts';
import { largeIn } from './sizes.ts';

interface Statement {
  stmt?: Node;
  /** In bytes of UTF-8, as all places in the tree. */
  stmt_location?: number;
  stmt_len?: number;
}

class Refused extends Error {
  readonly reason: QueryRefusal;
  readonly detail: string;
  readonly bytes: number | undefined;
  constructor(reason: QueryRefusal, detail = '', bytes?: number) {
    super(reason);
    this.reason = reason;
    this.detail = detail;
    this.bytes = bytes;
  }
}

/** Looks at every node: a write may hide in any CTE or subquery. */
const inspect = (select: Node): void => {
  // `x.f` may call f only where x is a function of the FROM clause: columns are often named like a function.
  let callsByColumn = false;
  walk(select, (kind) => {
    if (kind === 'RangeFunction') callsByColumn = true;
  });
  walk(select, (kind, node) => {
    if (/Stmt$/.test(kind) && kind !== 'SelectStmt')
      throw new Refused('writes', kind.replace(/Stmt$/, ''), placeOf(node));
    if (kind === 'intoClause') throw new Refused('into', '', placeOf(node));
    if (kind === 'LockingClause') throw new Refused('locks', '', placeOf(node));
    if (kind === 'RangeVar' && tellsOfOthers(String(node.relname)))
      throw new Refused('private', String(node.relname), node.location as number | undefined);
    if (kind === 'ColumnRef' && !callsByColumn) return;
    const forbidden = callsOf(kind, node).find(isForbidden);
    if (forbidden) throw new Refused('function', forbidden, node.location as number | undefined);
  });
  const large = largeIn(select);
  if (large) throw new Refused('large', large.what, large.bytes);
};

/** LIMIT ALL and LIMIT NULL are no limit, whatever NULL is cast to. Answers where the word is. */
const wordOfNoLimit = (limit: unknown): number | undefined => {
  const { TypeCast: cast, A_Const: constant } = (limit ?? {}) as Record<string, Node | undefined>;
  if (cast) return wordOfNoLimit(cast.arg);
  return constant?.isnull ? ((constant.location as number | undefined) ?? 0) : undefined;
};

interface Limited {
  sql: string;
  limited: boolean;
}

/** The text of one statement with a limit, if its outer query has none. */
const limit = (text: Buffer, begin: number, select: Node, rowLimit: number): Limited => {
  if (select.limitCount === undefined) {
    // On a line of its own: the statement may end in a comment.
    return { sql: `${text.toString('utf8')}\nlimit ${rowLimit}`, limited: true };
  }
  const place = wordOfNoLimit(select.limitCount);
  if (place === undefined) return { sql: text.toString('utf8'), limited: false };
  const at = place - begin;
  const word = /^(all|null)/i.exec(text.subarray(at, at + 4).toString('latin1'))?.[0] ?? '';
  if (!word) throw new Refused('kind', 'LIMIT', place);
  const sql = Buffer.concat([
    text.subarray(0, at),
    Buffer.from(String(rowLimit)),
    text.subarray(at + word.length),
  ]).toString('utf8');
  return { sql, limited: true };
};

const judgeOne = (
  whole: Buffer,
  { stmt = {}, stmt_location: begin = 0, stmt_len: length }: Statement,
  rowLimit: number,
): Limited => {
  const [[kind, node] = ['', {}]] = Object.entries(stmt);
  const text = whole.subarray(begin, length ? begin + length : undefined);
  if (kind === 'SelectStmt') {
    inspect(node as Node);
    return limit(text, begin, node as Node, rowLimit);
  }
  const plain = { sql: text.toString('utf8'), limited: false };
  if (kind === 'VariableShowStmt') return plain;
  if (kind === 'ExplainStmt') {
    const [[inner, query] = ['', {}]] = Object.entries((node as Node).query ?? {});
    if (inner !== 'SelectStmt')
      throw new Refused('writes', inner.replace(/Stmt$/, ''), placeOf(query as Node));
    inspect(query as Node);
    return plain;
  }
  throw new Refused('kind', kind.replace(/Stmt$/, ''), begin + leadOf(text));
};

const ready = loadModule();

/** The query of a statement that was judged, for those who look closer; undefined if it shows a setting. */
export const queryIn = async (sql: string): Promise<Node | undefined> => {
  await ready;
  const [first] = (parseSync(sql) as { stmts?: Statement[] }).stmts ?? [];
  const { SelectStmt: select, ExplainStmt: explain } = (first?.stmt ?? {}) as Record<
    string,
    Node | undefined
  >;
  return select ?? ((explain?.query as Node | undefined)?.SelectStmt as Node | undefined);
};

const unitsBeforeByte = (whole: Buffer, bytes: number): number =>
  whole.subarray(0, bytes).toString('utf8').length;

interface SyntaxFault {
  sqlDetails?: { message?: string; cursorPosition?: number };
  message: string;
}

/** Judges by PostgreSQL's own grammar: exactly one statement, which reads. */
export const judgePostgres = async (sql: string, rowLimit: number): Promise<StatementVerdict> => {
  await ready;
  const whole = Buffer.from(sql);
  const refused = (reason: QueryRefusal, detail = '', position?: number): StatementVerdict => ({
    kind: 'refused',
    reason,
    detail,
    position,
  });
  // The grammar ends at a NUL, and the server refuses one.
  if (sql.includes('\0')) return refused('syntax', 'NUL', sql.indexOf('\0'));
  if (sql.trim() === '') return refused('empty');
  let statements: Statement[];
  try {
    statements = ((parseSync(sql) as { stmts?: Statement[] }).stmts ?? []) as Statement[];
  } catch (error) {
    const { sqlDetails, message } = error as SyntaxFault;
    // The stack ran over, or the parser's memory: whoever runs the thread has to know.
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) throw error;
    // Below 0 where the grammar knows no place.
    const place = sqlDetails?.cursorPosition ?? -1;
    return refused('syntax', sqlDetails?.message ?? message, place < 0 ? undefined : unitsBefore(sql, place));
  }
  const [first, second] = statements;
  if (!first) return refused('empty');
  if (second) return refused('many', '', unitsBeforeByte(whole, second.stmt_location ?? 0));
  try {
    const { sql: judged, limited } = judgeOne(whole, first, rowLimit);
    return { kind: 'reads', sql: judged, limited, begin: unitsBeforeByte(whole, first.stmt_location ?? 0) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const position = error.bytes === undefined ? undefined : unitsBeforeByte(whole, error.bytes);
    return refused(error.reason, error.detail, position);
  }
};
