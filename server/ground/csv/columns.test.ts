import { expect, test } from 'vitest';
import { readColumns } from './columns.ts';

test('a column whose name is as long as a row is found by it, and shown by its beginning', () => {
  const name = `first${' '.repeat(190_000)}name`;
  const { names, byName } = readColumns({ row: 1, cells: ['phone', name] }, 'sms');
  expect(byName.get('first name')).toBe(1);
  expect(names[1]).toHaveLength(200);
  const split = readColumns({ row: 1, cells: ['phone', '😀'.repeat(200)] }, 'sms');
  expect(split.names.every((one) => one.isWellFormed())).toBe(true);
  const cut = readColumns({ row: 1, cells: ['phone', `x${'😀'.repeat(200)}`] }, 'sms');
  expect(cut.names.every((one) => one.isWellFormed())).toBe(true);
});
