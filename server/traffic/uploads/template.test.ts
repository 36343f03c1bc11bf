import { expect, test, vi } from 'vitest';
import { readColumns } from '../../ground/csv/index.ts';
import { checkTemplate, cutTemplate, fillTemplate } from './template.ts';

const columns = readColumns({ row: 1, cells: ['phone', 'First Name', 'a'] }, 'sms');
const cells = ['+85261234567', ' Ann ', '<b>'];
const filled = (text: string, maximum = 1_000, written?: (value: string) => string) =>
  fillTemplate(cutTemplate(text, columns), { columns, cells, maximum, ...(written && { written }) });

test('placeholders are filled wherever they stand, and everything else stays', () => {
  expect(filled('Dear {{first_name}}, {{ PHONE }}{{phone}}.')).toBe('Dear Ann, +85261234567+85261234567.');
  expect(filled('{{phone}}')).toBe('+85261234567');
  expect(filled('{{}} { {{{a}}} {{a')).toBe('{{}} { {<b>} {{a');
  expect(filled('')).toBe('');
  expect(filled('{{a}}', 10, (value) => value.toUpperCase())).toBe('<B>');
});

test('a text may be as long as it may be, and no longer', () => {
  expect(filled('x{{a}}y', 5)).toBe('x<b>y');
  for (const text of ['xx{{a}}y', 'x{{a}}yy', '{{a}}{{a}}'])
    expect(() => filled(text, 5), text).toThrow('E_MESSAGE_TOO_LONG');
  expect(() => filled('{{a}}', 5, (value) => value.repeat(2))).toThrow('E_MESSAGE_TOO_LONG');
});

test('an unknown column is told once for all rows, and in a row of its own text', () => {
  const template = cutTemplate('{{a}} {{ other }}', columns);
  expect(() => checkTemplate(template)).toThrow(expect.objectContaining({ params: { name: 'other' } }));
  expect(() => fillTemplate(template, { columns, cells, maximum: 99 })).toThrow(
    expect.objectContaining({ column: 'other' }),
  );
});

test('however many placeholders there are, each column is looked for once', () => {
  let looks = 0;
  const byName = new Map(columns.byName);
  byName.get = (name) => {
    looks += 1;
    return columns.byName.get(name);
  };
  const template = cutTemplate('{{a}}{{First Name}}'.repeat(2_000), { ...columns, byName });
  for (let row = 0; row < 10; row += 1)
    expect(fillTemplate(template, { columns, cells, maximum: 20_000 })).toHaveLength(2_000 * 6);
  expect(looks).toBe(2);
});

test('however many placeholders a cell fills, it is trimmed once', () => {
  const template = cutTemplate('{{a}}{{First Name}}'.repeat(2_000), columns);
  const row = ['', `Ann${' '.repeat(1_000)}`, `b${' '.repeat(1_000)}`];
  const trim = vi.spyOn(String.prototype, 'trim');
  const text = fillTemplate(template, { columns, cells: row, maximum: 20_000 });
  const trims = trim.mock.calls.length;
  trim.mockRestore();
  expect(text).toBe('bAnn'.repeat(2_000));
  expect(trims).toBe(2);
});
