import { readTokens, type Token } from './tokens.ts';

/** What messages of MySQL and MariaDB quote of a statement; they tell no place. */
const QUOTED = [
  /^Unknown column '([^']+)'/,
  /^Table '(?:[^'.]+\.)?([^']+)' doesn't exist/,
  /^FUNCTION (?:[\w$]+\.)?([\w$]+) does not exist/i,
  // Of a function or a table that is not there too: who may not use it is not told.
  /^[a-z]+ command denied to user .* for routine '(?:[^'.]+\.)?([^']+)'/i,
  /^[a-z]+ command denied to user .* for table (?:`[^`]*`\.)?`([^`]+)`/i,
];

/** Of a fault in the syntax: … near 'the rest of the statement' at line 1. */
const NEAR = "near '";
const AT_LINE = "' at line ";
/** Of a rest that is longer than a message may be. */
const CUT = /\.\.\.$/;

const lineStart = (sql: string, line: number): number =>
  sql
    .split('\n')
    .slice(0, line - 1)
    .reduce((begin, { length }) => begin + length + 1, 0);

/** A short rest may be there several times, and a long one is told in part. */
const restPlace = (rest: string, line: number, sql: string): number | undefined => {
  if (sql.endsWith(rest)) return sql.length - rest.length;
  const place = sql.indexOf(rest.replace(CUT, ''), lineStart(sql, line));
  return place < 0 ? undefined : place;
};

const nameOf = ({ kind, text }: Token): string => (kind === 'name' ? text.slice(1, -1).toLowerCase() : text);

/** Where it stands as a name: not in a text, and not as a part of another one. */
const namePlace = (quoted: string, sql: string): number | undefined => {
  const read = readTokens(sql);
  if (read.kind !== 'read') return undefined;
  const { tokens } = read;
  const isHere = (parts: string[], from: number) =>
    parts.every((part, at) => {
      const token = tokens[from + at];
      return token && token.kind !== 'text' && nameOf(token) === part;
    });
  const parts = quoted.toLowerCase().split(/(?=\.)|(?<=\.)/);
  // A column may come with a table that the statement does not name beside it.
  const found = [parts, parts.slice(-1)].map((all) => tokens.findIndex((_, at) => isHere(all, at)));
  return tokens[found.find((at) => at >= 0) ?? -1]?.begin;
};

/** Where in the statement the fault is that the message is about: in UTF-16 units from 0, if it can be found. */
export const faultPlace = (message: string, sql: string): number | undefined => {
  const begin = message.indexOf(NEAR);
  const end = message.lastIndexOf(AT_LINE);
  if (begin >= 0 && end > begin)
    return restPlace(
      message.slice(begin + NEAR.length, end),
      Number(message.slice(end + AT_LINE.length)),
      sql,
    );
  const quoted = QUOTED.map((pattern) => pattern.exec(message)?.[1]).find((text) => text !== undefined);
  return quoted === undefined ? undefined : namePlace(quoted, sql);
};
