import { expect, test } from 'vitest';
import { outcomeReason } from './view-outcome.ts';

test.each([
  'DEVICE_FILE_NOT_FETCHED',
  'DEVICE_FILE_TYPE',
  'DEVICE_NO_TEMPLATES',
  'DEVICE_NOT_CONNECTED',
  'NOT_ON_WHATSAPP',
])('why a device refused a message is told in the reader’s language: %s', (errorCode) => {
  const reason = 'A sentence of the driver.';
  expect(outcomeReason({ errorCode, reason }, 'zh_HK')).toMatch(/\p{Script=Han}/u);
  expect(outcomeReason({ errorCode, reason }, 'en_US')).not.toBe(reason);
});

test('a carrier that has lost its line says so in its own words: it is no device', () => {
  const reason = 'There is no connection to the message centre.';
  expect(outcomeReason({ errorCode: 'NOT_CONNECTED', reason }, 'zh_HK')).toBe(reason);
});
