import { expect, test } from 'vitest';
import { CSV_MAX_TEXT } from '../../../contract/traffic/uploads.ts';
import { readColumns } from '../../ground/csv/index.ts';
import type { AcceptedRow } from './judge.ts';
import { count, newTally } from './read-file.ts';

test('a file whose rows make too much text together is refused, however small it is', () => {
  const tally = newTally(readColumns({ row: 1, cells: ['email', 'a'] }, 'email'));
  const html = 'x'.repeat(500_000);
  const row = { message: '', html, segments: 1, priceMicros: 1n } as AcceptedRow;
  const rows = CSV_MAX_TEXT / html.length;
  count(tally, Array<AcceptedRow>(rows).fill(row), []);
  expect(() => count(tally, [row], [])).toThrow(expect.objectContaining({ code: 'E_CSV_TEXT_TOO_LONG' }));
});
