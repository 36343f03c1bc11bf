import { expect, test } from 'vitest';
import { readEventFilter } from './event-kinds.ts';

test('the filter of an address is read, and what makes no sense left out', () => {
  const messageId = '01890000-0000-7000-8000-000000000001';
  const whole = {
    type: 'message.sent',
    state: 'PARKED',
    messageId,
    dateFrom: '2026-01-01',
    dateTo: '2026-01-31',
  };
  expect(readEventFilter({ ...whole, other: 'x' })).toEqual(whole);
  expect(
    readEventFilter({
      type: 'x',
      state: 'parked',
      messageId: '1',
      dateFrom: 'today',
      dateTo: ['2026-01-01'],
    }),
  ).toEqual({});
});
