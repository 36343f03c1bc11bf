import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { type CsvColumn, csvTable, withoutGuard } from '../../../contract/ground/csv.ts';

const folder = await mkdtemp(join(tmpdir(), 'posthorn-spreadsheet-'));
afterAll(() => rm(folder, { recursive: true }));
const hasCalc = spawnSync('soffice', ['--version']).status === 0;
const run = promisify(execFile);

interface Row {
  name: string;
  phone: string;
  amount: string;
  note: string;
}
const COLUMNS: CsvColumn<Row>[] = [
  { title: 'name', type: 'text', value: ({ name }) => name },
  { title: 'phone', type: 'phone', value: ({ phone }) => phone },
  { title: 'amount', type: 'amount', value: ({ amount }) => amount },
  { title: 'note', type: 'text', value: ({ note }) => note },
];
const ATTACKS = [
  '=1+1',
  'a;=1+1;b',
  'a\t=1+1\tb',
  'line\n=1+1',
  'line\r\n=1+1\r\nend',
  '=1+1;',
  ';"=1+1',
  ';""=1+1;',
  '"";=1+1',
  'x;',
  '\n',
  "'=1+1",
  ' =1+1',
  '＝1+1',
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  'c,=1+1',
  'c";=1+1;"',
];
const ROWS = ATTACKS.flatMap((text): Row[] => [
  { name: text, phone: '+85261112222', amount: '-0.25', note: 'plain' },
  { name: '陳大文', phone: '+85261113333', amount: '1.50', note: text },
]);
const { head, line } = csvTable(COLUMNS);
const FILE = head + ROWS.map(line).join('');

const SEPARATORS = { comma: 44, semicolon: 59, tab: 9 };
/** As its filter calls them. */
const ENCODINGS = { 'UTF-8': '76', 'UTF-16': '65535' };

/** It writes the breaks of lines in its own way. */
const asOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

interface Opening {
  file: string;
  separator: number;
  encoding: keyof typeof ENCODINGS;
}

const convert = async (filter: string, { from, to }: { from: string; to: string }): Promise<string> => {
  await run(
    'soffice',
    [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      ...(to === 'csv' ? [] : [`--infilter=CSV:${filter}`]),
      ...['--convert-to', to === 'csv' ? `csv:Text - txt - csv (StarCalc):${filter}` : to],
      ...['--outdir', folder, join(folder, from)],
    ],
    { timeout: 120_000 },
  );
  return readFile(join(folder, `file.${to}`), 'utf8');
};

/** Opens the file as a person does with this separator, formulas allowed: the sheet as XML. */
const opened = async ({ file, separator, encoding }: Opening): Promise<string> => {
  await writeFile(join(folder, 'file.csv'), file, encoding === 'UTF-16' ? 'utf16le' : 'utf8');
  const filter = `${separator},34,${ENCODINGS[encoding]},1,,0,false,true,false,false,false,-1,true`;
  return convert(filter, { from: 'file.csv', to: 'fods' });
};

const OPENED = Object.entries(SEPARATORS).flatMap(([name, code]) =>
  (Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[]).map((encoding) => ({ name, code, encoding })),
);
test.skipIf(!hasCalc).for(OPENED)(
  'LibreOffice finds no formula in a file that it splits by $name and reads as $encoding',
  { timeout: 180_000 },
  async ({ code, encoding }) => {
    const sheet = await opened({ file: FILE, separator: code, encoding });
    expect(sheet).toContain('陳大文');
    expect(sheet.match(/table:formula="[^"]*"/g)).toBeNull();
  },
);

test.skipIf(!hasCalc)('LibreOffice sums the amounts', { timeout: 180_000 }, async () => {
  const sum = `,,=SUM(C2:C${ROWS.length + 1}),\r\n`;
  const sheet = await opened({ file: FILE + sum, separator: SEPARATORS.comma, encoding: 'UTF-8' });
  const [, value] = /table:formula="of:=SUM[^>]*office:value="([^"]*)"/.exec(sheet) ?? [];
  expect(Number(value)).toBe(ROWS.reduce((total, { amount }) => total + Number(amount), 0));
});

test.skipIf(!hasCalc)(
  'what LibreOffice saves again, as people do, is read as the same rows',
  { timeout: 180_000 },
  async () => {
    await opened({ file: FILE, separator: SEPARATORS.comma, encoding: 'UTF-8' });
    const saved = await convert('44,34,76,1,,0,false,true,false,false,false,-1', {
      to: 'csv',
      from: 'file.fods',
    });
    const read: string[][] = parse(saved, { bom: true, relax_column_count: true });
    expect(
      read
        .slice(1)
        .map(([name, , , note]) => [name, note].map((cell) => asOneLine(withoutGuard(cell ?? '')))),
    ).toEqual(ROWS.map(({ name, note }) => [name, note].map((cell) => asOneLine(cell))));
  },
);
