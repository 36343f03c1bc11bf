import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRecord, type Delimiter, readRecords } from './records.ts';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const read = async (text: string, { delimiter = ',' as Delimiter, piece = 1_000, size = 1_000 } = {}) => {
  const records: CsvRecord[] = [];
  for await (const chunk of readRecords(pieces(text, piece), { delimiter, size })) {
    expect(chunk.length).toBeLessThanOrEqual(size);
    records.push(...chunk);
  }
  return records;
};

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
/** Spreadsheets quote only where they must, other programs everywhere. */
const written = (cell: string, always: boolean): string =>
  always || /["\r\n,;\t]/.test(cell) ? quoted(cell) : cell;

test('whatever was written is read, however it is cut into pieces, and as csv-parse reads it', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '字', ' ', '"', ',', ';', '\t', '\n', '\r', '😀'),
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom<Delimiter>(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.boolean(),
      async (rows, delimiter, newline, piece, ended, always) => {
        const text =
          rows.map((cells) => cells.map((one) => written(one, always)).join(delimiter)).join(newline) +
          (ended ? newline : '');
        const records = await read(text, { delimiter, piece, size: 2 });
        const filled = rows
          .map((cells, at) => ({ row: at + 1, cells }))
          .filter(({ cells }) => cells.some((one) => one.trim() !== ''));
        expect(records).toEqual(filled);
        const others: string[][] = parse(text, {
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
        });
        expect(records.map(({ cells }) => cells)).toEqual(
          others.filter((cells) => cells.some((one) => one.trim() !== '')),
        );
      },
    ),
  );
});

test.each([
  [
    'a,b\n\n c ,d',
    [
      [1, 'a', 'b'],
      [3, ' c ', 'd'],
    ],
  ],
  ['a "b" c,d', [[1, 'a "b" c', 'd']]],
  ['"a"b,c', [[1, 'ab', 'c']]],
  ['"a""",\n', [[1, 'a"', '']]],
  [
    'a\r\nb\rc\nd',
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ],
  ],
])('%j is read as people mean it', async (text, rows) => {
  for (const piece of [1, 2, 100])
    expect((await read(text, { piece })).map(({ row, cells }) => [row, ...cells])).toEqual(rows);
});

test('hostile text ends in a refusal, never in a crash', async () => {
  await expect(read('a,b\n"c')).rejects.toMatchObject({ code: 'E_CSV_QUOTE_OPEN', params: { row: 2 } });
  await expect(read(`a\n${'x'.repeat(300_000)}`)).rejects.toMatchObject({ code: 'E_CSV_ROW_TOO_LONG' });
  await expect(read(','.repeat(1_000))).rejects.toMatchObject({ code: 'E_CSV_TOO_MANY_COLUMNS' });
  await expect(read('\n'.repeat(2_000_001), { piece: 100_000 })).rejects.toMatchObject({
    code: 'E_CSV_TOO_MANY_ROWS',
  });
});

test('a chunk ends where its records are long, so that memory does not grow with them', async () => {
  const row = `6,${'x'.repeat(150_000)}\n`;
  const chunks = await Array.fromAsync(
    readRecords(pieces(row.repeat(20), 100_000), { delimiter: ',', size: 1_000 }),
  );
  expect(chunks.map((chunk) => chunk.length)).toEqual([7, 7, 6]);
});
