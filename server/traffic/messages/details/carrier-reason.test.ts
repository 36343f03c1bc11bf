import { expect, test } from 'vitest';
import {
  CANCELLED_REASONS,
  DIVERTED_REASONS,
  MESSAGE_WAYS,
  messageStep,
  ROUTED_REASONS,
  WAITING_REASONS,
} from '../../../../contract/traffic/message-details.ts';
import { pageTranslations } from '../../../ground/translations/index.ts';
import { outcomeReason } from './view-outcome.ts';

const OF_RECEIPT = 'The carrier reported that it was not delivered.';

test.each([
  ['UNDELIV:045', 'The carrier reported that it could not be delivered.'],
  ['UNDELIVERABLE', 'The carrier reported that it could not be delivered.'],
  ['REJECTD', 'The recipient’s side rejected it.'],
  ['E_RECIPIENT:131026', 'The recipient can not get it by WhatsApp.'],
  ['E_OPTED_OUT:131050', 'The recipient has opted out at the carrier.'],
  ['UNKNOWN_RECIPIENT', 'There is no such recipient.'],
  ['5.1.1', 'There is no such recipient.'],
  ['5.2.2', 'The recipient’s mailbox is full.'],
  ['5.9.9', OF_RECEIPT],
  ['0x45', OF_RECEIPT],
])('a receipt that fails a message with %s is told in words, in both languages', (errorCode, words) => {
  expect(outcomeReason({ errorCode, reason: OF_RECEIPT }, 'en_US')).toBe(words);
  expect(outcomeReason({ errorCode, reason: OF_RECEIPT }, 'zh_HK')).toMatch(/\p{Script=Han}/u);
});

test("what a carrier says in its own words stays, and a code that says nothing isn't made up for", () => {
  const own = { errorCode: 'UNDELIV', reason: 'Absent subscriber' };
  expect(outcomeReason(own, 'en_US')).toBe('Absent subscriber');
  expect(outcomeReason({ errorCode: 'BUSY', reason: '' }, 'en_US')).toBe('');
  expect(outcomeReason({ errorCode: 'E_OPTED_OUT', reason: '' }, 'en_US')).not.toContain('carrier');
});

test('the page has words for every step and every why', () => {
  const labels = [
    ...messageStep.options.map(({ shape }) => `details.step.${shape.kind.value}`),
    ...MESSAGE_WAYS.map((way) => `details.way.${way}`),
    ...ROUTED_REASONS.map((why) => `details.routed.${why}`),
    ...DIVERTED_REASONS.map((why) => `details.diverted.${why}`),
    ...CANCELLED_REASONS.map((why) => `details.cancelled.${why}`),
    ...WAITING_REASONS.map((why) => `details.waiting.${why}`),
  ];
  for (const texts of Object.values(pageTranslations))
    expect(labels.filter((label) => !texts[label])).toEqual([]);
});
