import { beforeAll, expect, test } from 'vitest';
import { setTexts } from '../i18n/translate.ts';
import type { Progress, Sent } from './message-queries.ts';
import { resultsCsv, statusesOf } from './results-csv.ts';

const sent = {
  _id: 'id-1',
  batchId: 'batch-1',
  status: 'PENDING',
  phone: '+85261112222',
  segments: 2,
  price: 0.064102,
  test: false,
  channel: 'sms',
  fromPhone: '=1+1,"x"',
  at: '2026-01-02T03:04:05.000Z',
} as Sent;
const progress = (counts: Record<string, number>, total: number) =>
  ({ counts, total }) as unknown as Progress;

beforeAll(() => setTexts({ 'send.time': 'Time' }));

test('the file opens in a spreadsheet as text, never as a formula', () => {
  const [head, row, end] = resultsCsv([{ sent, progress: undefined }]).split('\r\n');
  expect(head?.startsWith('\uFEFFTime,')).toBe(true);
  expect(row).toBe(`2026-01-02T03:04:05.000Z,sms,"'=1+1,""x""",'+85261112222,2,0.064102,PENDING,NO,id-1`);
  expect(end).toBe('');
});

test('the status is the one of the batch, with numbers where several were accepted at once', () => {
  const one = { sent, progress: progress({ PENDING: 0, SUCCESS: 1 }, 1) };
  expect(statusesOf(one)).toEqual([{ status: 'SUCCESS', count: 1 }]);
  const several = { sent, progress: progress({ PENDING: 0, SUCCESS: 2, FAILED: 1 }, 3) };
  expect(resultsCsv([several])).toContain(',SUCCESS 2 FAILED 1,');
});
