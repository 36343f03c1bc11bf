/** A piece of a statement in the dialect of MySQL and MariaDB, without comments and white space. */
export interface Token {
  kind: 'word' | 'text' | 'name' | 'sign';
  /** Words in lower case. */
  text: string;
  begin: number;
  end: number;
}

export type Tokens =
  | { kind: 'read'; tokens: Token[] }
  | { kind: 'executable'; position: number }
  | { kind: 'open'; position: number };

const WORD = /[\p{L}\p{N}_$@]+/uy;

/** The end of what is in quotes: doubled ones and, in texts, backslashes keep it open. */
const endOfQuoted = (sql: string, begin: number, quote: string): number | undefined => {
  for (let at = begin + 1; at < sql.length; at += 1) {
    if (sql[at] === '\\' && quote !== '`') at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return undefined;
};

const lineEnd = (sql: string, begin: number): number => {
  const end = sql.indexOf('\n', begin);
  return end < 0 ? sql.length : end;
};

/** `--` begins a comment only before white space, a control character or the end. */
const isDashComment = (sql: string, at: number): boolean =>
  sql.startsWith('--', at) && (at + 2 >= sql.length || sql.charCodeAt(at + 2) <= 0x20);

/**
 * Reads a statement as the server does with backslash escapes and without ANSI_QUOTES, which the reader's connections
 * set. Comments that the server would execute are not read.
 */
export const readTokens = (sql: string): Tokens => {
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const sign = sql[at] ?? '';
    if (/\s/.test(sign)) {
      at += 1;
    } else if (sign === '#' || isDashComment(sql, at)) {
      at = lineEnd(sql, at);
    } else if (sql.startsWith('/*', at)) {
      if (/^\/\*M?!/i.test(sql.slice(at, at + 4))) return { kind: 'executable', position: at };
      const end = sql.indexOf('*/', at + 2);
      if (end < 0) return { kind: 'open', position: at };
      at = end + 2;
    } else if (sign === "'" || sign === '"' || sign === '`') {
      const end = endOfQuoted(sql, at, sign);
      if (end === undefined) return { kind: 'open', position: at };
      tokens.push({ kind: sign === '`' ? 'name' : 'text', text: sql.slice(at, end), begin: at, end });
      at = end;
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(sql)?.[0];
      const end = at + (word?.length ?? 1);
      const text = word?.toLowerCase() ?? sign;
      tokens.push({ kind: word ? 'word' : 'sign', text, begin: at, end });
      at = end;
    }
  }
  return { kind: 'read', tokens };
};

/** As much room as the text takes, so that places stay what they are. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/**
 * The statement of these tokens, with blanks for what is not one: comments and what comes before. Two dashes get a
 * blank between them, so that no reader takes them for a comment.
 */
export const withoutComments = (
  sql: string,
  tokens: Token[],
  write: (text: string, index: number) => string = (text) => text,
): string => {
  let at = 0;
  return tokens
    .map(({ begin, end }, index) => {
      const gap = blank(sql.slice(at, begin));
      const twoDashes = gap === '' && sql[begin] === '-' && sql[begin - 1] === '-';
      at = end;
      return `${twoDashes ? ' ' : gap}${write(sql.slice(begin, end), index)}`;
    })
    .join('');
};

/** A word or a sign; '' for what is in quotes, which is never one. */
export const textAt = (tokens: Token[], at: number): string => {
  const token = tokens[at];
  return token?.kind === 'word' || token?.kind === 'sign' ? token.text : '';
};

/** Without the brackets around the whole statement. */
export const unwrapped = (tokens: Token[]): Token[] => {
  let depth = 0;
  const closed = tokens.findIndex((_, at) => {
    if (textAt(tokens, at) === '(') depth += 1;
    if (textAt(tokens, at) === ')') depth -= 1;
    return depth === 0;
  });
  return textAt(tokens, 0) === '(' && closed === tokens.length - 1 ? unwrapped(tokens.slice(1, -1)) : tokens;
};
