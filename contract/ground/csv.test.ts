import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvColumn, type CsvType, csvTable, withGuard, withoutGuard } from './csv.ts';

type Cells = (string | null)[];
const columns = (types: CsvType[]): CsvColumn<Cells>[] =>
  types.map((type, at) => ({ title: `c${at}`, type, value: (cells) => cells[at] ?? null }));
const written = (rows: Cells[], types: CsvType[]): string => {
  const { line } = csvTable(columns(types));
  return rows.map(line).join('');
};

/** As spreadsheets read: a quotation mark counts at the beginning of a cell, and text after the closing one belongs to it. */
const spreadsheetCells = (text: string, delimiter: string): string[] => {
  const cells: string[] = [];
  const ends = new Set([delimiter, '\r', '\n']);
  for (let at = 0; at < text.length; at += 1) {
    let cell = '';
    if (text[at] === '"')
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 1;
        } else {
          at += 1;
          break;
        }
      }
    for (; at < text.length && !ends.has(text[at] ?? ''); at += 1) cell += text[at];
    cells.push(cell);
  }
  return cells;
};

const isFormula = (cell: string): boolean =>
  /^[\s\p{C}"]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u.test(cell) && !/^[+-][\d.]+$/.test(cell);

const HOSTILE = fc.string({
  unit: fc.constantFrom(
    ...['=', '+', '-', '@', '＝', '－', '＋', '＠', '1', 'A', '!', "'", '"', ',', ';', '\t', '\n', '\r', ' '],
    ...['\u200b', '\u3000', '字', '0+A1', ';=1', '\n@', '"=1'],
  ),
  maxLength: 8,
});
const PHONE = fc.constantFrom('+85261112222', '=1+1', '+1 650;=2', '');
const AMOUNT = fc.constantFrom('-5.00', '0.032051', '-1;=1', '=1', '12');

test('whatever separates and however it is quoted, no cell is read as a formula', () => {
  const row = fc.tuple(PHONE, HOSTILE, AMOUNT, HOSTILE);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom<CsvType[]>(
        ['phone', 'text', 'amount', 'text'],
        ['text', 'text', 'amount', 'text'],
        ['phone', 'text', 'number', 'time'],
      ),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom<BufferEncoding>('utf8', 'utf16le'),
      (rows, types, delimiter, encoding) => {
        const text = written(rows, types);
        for (const cell of spreadsheetCells(text, delimiter)) expect(cell).not.toSatisfy(isFormula);
        const strict: string[][] = parse(Buffer.from(text, encoding), {
          delimiter,
          encoding,
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          relax_quotes: true,
          skip_records_with_error: true,
        });
        for (const cell of strict.flat()) expect(cell).not.toSatisfy(isFormula);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('what was written is read again, whatever it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(HOSTILE, HOSTILE), { minLength: 1, maxLength: 4 }), (rows) => {
      const read: string[][] = parse(written(rows, ['text', 'text']), { record_delimiter: '\r\n' });
      expect(read.map((cells) => cells.map(withoutGuard))).toEqual(rows);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a;=1+1', "'a;'=1+1"],
  ['two\n=1', "'two\n'=1"],
  ['＝1+1', "'＝1+1"],
  ['"=1', `'"=1`],
  ["'=1", "''=1"],
  ['a=1, b-c', 'a=1, b-c'],
  ["it's; fine", "it's; fine"],
])('%j is guarded as %j', (text, guarded) => {
  expect(withGuard(text)).toBe(guarded);
  expect(withoutGuard(guarded)).toBe(text);
});

test("an apostrophe within a customer's own text stays, unless the cell begins with one", () => {
  for (const text of ["prices:\n'-5%'", "he said;'+1'", "'tis so", "rock 'n' roll"])
    expect(withoutGuard(text)).toBe(text);
});

test('numbers, amounts, times and phone numbers are what they are, where their column says so', () => {
  const types: CsvType[] = ['text', 'phone', 'amount', 'number', 'time'];
  const row = ['-1', '+85261112222', '-1.25', '-7', '2026-11-19 12:00:00'];
  expect(written([row], types)).toBe("'-1,+85261112222,-1.25,-7,2026-11-19 12:00:00\r\n");
  expect(written([row.map(() => '=1+1')], types)).toBe(`${row.map(() => "'=1+1").join(',')}\r\n`);
});

test('what begins a row with a sign is no beginning of a formula that a text goes on with', () => {
  expect(written([['+85261112222', '0+A1']], ['phone', 'text'])).toBe("'+85261112222,0+A1\r\n");
  expect(written([['-5', '-6']], ['amount', 'number'])).toBe('-5,-6\r\n');
});

test('as data every character stays, and null is told from an empty text', () => {
  const { head, line } = csvTable(columns(['text', 'text', 'text', 'text']), 'data');
  expect(head).toBe('c0,c1,c2,c3\r\n');
  expect(line(['=1+1', null, '', ' a;b'])).toBe('=1+1,,""," a;b"\r\n');
  const spreadsheet = csvTable(columns(['text', 'text']));
  expect(spreadsheet.head).toBe('\uFEFFc0,c1\r\n');
  expect(spreadsheet.line([null, ''])).toBe(',\r\n');
});

test('a text of nothing but what is skipped takes no longer than its length', () => {
  const began = performance.now();
  for (const unit of ['\t', ' ', "'", '";'])
    for (const text of [`${unit.repeat(200_000)}=1`, `=${unit.repeat(200_000)}`]) {
      expect(withoutGuard(withGuard(text))).toBe(text);
    }
  expect(performance.now() - began).toBeLessThan(2_000);
});
