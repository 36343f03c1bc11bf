import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { headerOf, readCsvHeader } from './csv-header.ts';

const header = (text: string, encoding = 'utf8') => headerOf(new Uint8Array(iconv.encode(text, encoding)));

test.each([
  ['phone,name,message\r\n6111 2222,Ann,Hi', ['phone', 'name', 'message']],
  ['\n\n phone ; Full name\n1;2', ['phone', 'Full name']],
  ['phone\tname\n', ['phone', 'name']],
  ['phone,"a ""b"", c","two\nlines"\n1,2,3', ['phone', 'a "b", c', 'two\nlines']],
  ['phone,,name,phone,{{x}}', ['phone', 'name']],
  ['6111 2222,Hello there', []],
  ['ann@example.com,Hello there', []],
  ['', []],
])('the names of the columns are found (case %#)', (text, names) => {
  expect(header(text)).toEqual(names);
});

test('in every encoding that the server reads', () => {
  for (const encoding of ['utf8', 'big5'])
    expect(header('電話,姓名\n1,2', encoding)).toEqual(['電話', '姓名']);
  for (const encoding of ['utf16le', 'utf16be', 'utf8'])
    expect(header('\uFEFF電話,姓名\n1,2', encoding)).toEqual(['電話', '姓名']);
});

test('what is no text or can not be read has none', async () => {
  expect(headerOf(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 1]))).toEqual([]);
  expect(await readCsvHeader(new Blob(['phone,name']))).toEqual(['phone', 'name']);
  const gone = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) };
  expect(await readCsvHeader(gone as unknown as Blob)).toEqual([]);
});
