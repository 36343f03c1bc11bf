/** What a column holds decides what its cells may look like. What looks otherwise is treated as text. */
const PLAIN = {
  text: undefined,
  /** In E.164. */
  phone: /^\+?\d{1,20}$/,
  number: /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  amount: /^-?\d+(?:\.\d+)?$/,
  time: /^\d[\d:.TZ +-]*$/,
} as const;
export type CsvType = keyof typeof PLAIN;

/**
 * `spreadsheet`: no cell is read as a formula, and a mark tells that it is UTF-8. `data`: for programs, every
 * character as it is; null is an empty field and an empty text is `""`, as PostgreSQL's COPY reads them.
 */
export type CsvForm = 'spreadsheet' | 'data';

export interface CsvColumn<Row> {
  title: string;
  type: CsvType;
  value: (row: Row) => string | null;
}

/** Without a byte order mark, spreadsheets assume an old encoding. */
export const CSV_START = '\uFEFF';

/**
 * How a formula begins, also in the full-width and small forms that East Asian spreadsheets take for the same, after
 * whatever some reader skips: blanks, invisible characters, quotation marks, or an apostrophe.
 */
const FORMULA = /^[\s\p{C}"']*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;
/** Quick to exclude: most cells have none. */
const MAY_BE = /[=+\-@＝＋－＠﹦﹢﹣﹫−]/;

/**
 * A spreadsheet that splits by semicolon or tab does not see our quotation marks where we put them: for it, a cell may
 * begin after any of these within ours.
 */
const PIECE = /[^;\t\r\n]+/g;

const isRisky = (text: string): boolean =>
  MAY_BE.test(text) && (text.match(PIECE) ?? []).some((piece) => FORMULA.test(piece));

/**
 * An apostrophe before a formula makes it text. The first one stands at the beginning of the cell, so that only a cell
 * that begins with one has to be looked at when it is read again.
 */
export const withGuard = (text: string): string => {
  if (!isRisky(text)) return text;
  const pieces = text.replace(PIECE, (piece, at: number) =>
    at > 0 && FORMULA.test(piece) ? `'${piece}` : piece,
  );
  return `'${pieces}`;
};

/** What `withGuard` was given. Any other cell stays what it is, unless an apostrophe precedes a formula in it. */
export const withoutGuard = (cell: string): string => {
  if (!cell.startsWith("'") || !isRisky(cell)) return cell;
  return cell
    .slice(1)
    .replace(PIECE, (piece, at: number) =>
      at > 0 && piece.startsWith("'") && FORMULA.test(piece) ? piece.slice(1) : piece,
    );
};

/** A line of `\.` alone ends the data of PostgreSQL's COPY. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$|^\\\.$/;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const dataCell = (content: string | null): string => {
  if (content === null) return '';
  return content === '' || NEEDS_QUOTES.test(content) ? quoted(content) : content;
};

/**
 * A row begins a cell in every dialect, and one that splits by semicolon takes what follows for the rest of it: after
 * `-5` or `+852…` a text such as `0+A1` goes on as a formula with a decimal comma, in whatever quotation marks. So a
 * sign there is guarded, unless nothing that people write can follow: exports begin with another column.
 */
const SIGNED = /^[+-]/;
const WRITTEN_BY_US: CsvType[] = ['number', 'amount', 'time'];

const spreadsheetCells = (contents: (string | null)[], types: CsvType[]): string[] => {
  const exposed = types.some((type) => !WRITTEN_BY_US.includes(type));
  return contents.map((content, at) => {
    if (content === null) return '';
    const plain = PLAIN[types[at] ?? 'text']?.test(content) && !(at === 0 && exposed && SIGNED.test(content));
    const safe = plain ? content : withGuard(content);
    return NEEDS_QUOTES.test(safe) ? quoted(safe) : safe;
  });
};

/** The one writer of CSV files, for the server and the browser. */
export const csvTable = <Row>(columns: readonly CsvColumn<Row>[], form: CsvForm = 'spreadsheet') => {
  const types = columns.map(({ type }) => type);
  const lineOf = (contents: (string | null)[], as: CsvType[]): string =>
    `${(form === 'data' ? contents.map(dataCell) : spreadsheetCells(contents, as)).join(',')}\r\n`;
  const names = columns.map(({ title }) => title);
  const titles = lineOf(
    names,
    names.map(() => 'text'),
  );
  return {
    /** How a file begins: with the titles. */
    head: form === 'data' ? titles : CSV_START + titles,
    line: (row: Row): string =>
      lineOf(
        columns.map(({ value }) => value(row)),
        types,
      ),
  };
};
