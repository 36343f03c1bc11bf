export interface TableUse {
  table: string;
  kind: 'reads' | 'writes';
}

/** Stands for `${…}` within a statement. */
export const HOLE = '?';

interface Token {
  text: string;
  /** Index of the token that closes this parenthesis. */
  closedAt?: number;
}

/** Comments say nothing, and quoted texts are values, but for the name of a table before `::regclass`. */
const withoutTexts = (sql: string): string =>
  sql
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(\w+)'::regclass/g, ' from $1 ')
    .replace(/'(?:[^']|'')*'/g, ` ${HOLE} `);

const tokensOf = (sql: string): Token[] => {
  const tokens: Token[] = [
    ...withoutTexts(sql)
      .toLowerCase()
      .matchAll(/\w+|\S/g),
  ].map(([text]) => ({ text }));
  const open: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text === '(') open.push(token);
    const opening = token.text === ')' ? open.pop() : undefined;
    if (opening) opening.closedAt = at;
  }
  return tokens;
};

interface Cte {
  name: string;
  from: number;
  to: number;
}

const isWord = (token: Token | undefined): boolean => /^[a-z_]\w*$/.test(token?.text ?? '');

/** `with name (columns) as materialized (…)`, and those after a comma. */
const ctesOf = (tokens: Token[]): Cte[] =>
  tokens.flatMap((token, at) => {
    if (!isWord(token) || !['with', 'recursive', ','].includes(tokens[at - 1]?.text ?? '')) return [];
    let next = at + 1;
    if (tokens[next]?.text === '(') next = (tokens[next]?.closedAt ?? next) + 1;
    if (tokens[next]?.text !== 'as') return [];
    next += 1;
    while (['not', 'materialized'].includes(tokens[next]?.text ?? '')) next += 1;
    const body = tokens[next];
    return body?.text === '(' ? [{ name: token.text, from: next, to: body.closedAt ?? tokens.length }] : [];
  });

/** Between a keyword and the table that it is about. */
const FILLERS = ['only', 'lateral', 'table', 'into', 'from', 'if', 'exists', 'concurrently'];
/** What may follow a table of a list other than its alias. */
const AFTER_TABLE =
  /^(where|join|inner|left|right|full|cross|natural|on|using|set|group|order|having|limit|union|returning|for|values|select|tablesample|with|default|overriding|window|offset|fetch|except|intersect|when|then)$/;

/** The table that begins here, and where the next one of the list does. */
const readItem = (
  tokens: Token[],
  begin: number,
  kind: TableUse['kind'],
): { at: number; name?: string; next?: number } => {
  let at = begin;
  while (FILLERS.includes(tokens[at]?.text ?? '')) at += 1;
  let name: string | undefined;
  const place = at;
  if (isWord(tokens[at])) {
    while (tokens[at + 1]?.text === '.' && isWord(tokens[at + 2])) at += 2;
    // A function that answers rows is no table.
    name = kind === 'reads' && tokens[at + 1]?.text === '(' ? undefined : tokens[at]?.text;
    at += 1;
  } else if (tokens[at]?.text === HOLE) at += 1;
  if (tokens[at]?.text === '(') at = (tokens[at]?.closedAt ?? at) + 1;
  if (tokens[at]?.text === 'as') at += 1;
  if (isWord(tokens[at]) && !AFTER_TABLE.test(tokens[at]?.text ?? '')) at += 1;
  if (tokens[at]?.text === '(') at = (tokens[at]?.closedAt ?? at) + 1;
  return {
    at: place,
    ...(name !== undefined && { name }),
    ...(tokens[at]?.text === ',' && { next: at + 1 }),
  };
};

const READING = ['from', 'join', 'using', 'like'];
const WRITING = ['update', 'truncate', 'copy', 'merge', 'alter', 'drop', 'lock'];

const kindAt = (tokens: Token[], at: number): TableUse['kind'] | undefined => {
  const [text, before, after] = [tokens[at]?.text ?? '', tokens[at - 1]?.text, tokens[at + 1]?.text ?? ''];
  if (text === 'from') return before === 'delete' ? 'writes' : before === 'distinct' ? undefined : 'reads';
  if (READING.includes(text)) return 'reads';
  if (text === 'into') return before === 'insert' || before === 'merge' ? 'writes' : undefined;
  if (!WRITING.includes(text)) return undefined;
  // `on conflict do update set`, `for update of m`, and settings such as `alter function`.
  if (before === 'do' || before === 'for' || before === 'or') return undefined;
  if (['alter', 'drop', 'lock'].includes(text)) return after === 'table' ? 'writes' : undefined;
  return 'writes';
};

/** The tables that a statement, or a part of one, reads and writes. Names of its CTEs are no tables. */
export const tableUses = (sql: string, isTable: (name: string) => boolean): TableUse[] => {
  const tokens = tokensOf(sql);
  const ctes = ctesOf(tokens);
  const uses: TableUse[] = [];
  const add = (kind: TableUse['kind'], name: string, at: number) => {
    // Within its own body the name of a CTE is still that of the table.
    const isCte = ctes.some((cte) => cte.name === name && (at < cte.from || at > cte.to));
    if (isTable(name) && (kind === 'writes' || !isCte)) uses.push({ table: name, kind });
  };
  // A part such as sql`messages m where …`, which another one puts behind its `from`.
  const first = readItem(tokens, 0, 'reads');
  if (first.name && first.at === 0 && !/^[.=<>:+|)-]$/.test(tokens[1]?.text ?? ''))
    add('reads', first.name, 0);
  for (const at of tokens.keys()) {
    const kind = kindAt(tokens, at);
    let begin: number | undefined = kind && at + 1;
    while (kind && begin !== undefined) {
      const item = readItem(tokens, begin, kind);
      if (item.name) add(kind, item.name, item.at);
      begin = item.next;
    }
  }
  return uses;
};

/** Names that are called, such as those of the database's functions. */
export const callsIn = (sql: string): string[] => {
  const tokens = tokensOf(sql);
  return tokens.filter((token, at) => isWord(token) && tokens[at + 1]?.text === '(').map(({ text }) => text);
};
