import { beforeAll, expect, test } from 'vitest';
import { setTexts } from '../../../ground/i18n/translate.ts';
import type { Message, SentMessage } from '../sending-queries.ts';
import { resultsCsv } from './results-csv.ts';

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
} as SentMessage;

beforeAll(() => setTexts({ 'send.time': 'Time' }));

test('the file opens in a spreadsheet as text, never as a formula', () => {
  const [head, row, end] = resultsCsv([{ sent, message: undefined }]).split('\r\n');
  expect(head?.startsWith('\uFEFFTime,')).toBe(true);
  expect(row).toBe(`2026-01-02T03:04:05.000Z,sms,"'=1+1,""x""",+85261112222,2,0.064102,PENDING,,NO,id-1`);
  expect(end).toBe('');
});

test("the status is the server's latest, with its reason", () => {
  const message = { status: 'FAILED', reason: 'No such number, it seems' } as Message;
  expect(resultsCsv([{ sent, message }])).toContain(',FAILED,"No such number, it seems",NO,');
});
