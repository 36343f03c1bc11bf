import { beforeAll, expect, test } from 'vitest';
import { setTexts } from '../i18n/translate.ts';
import { type Draft, faultsOf, requestOf } from './draft.ts';

const draft = (changed: Partial<Draft>): Draft => ({
  way: { channel: 'sms' },
  device: '',
  country: 'HK',
  phone: ' 6111 2222 ',
  address: ' walker@example.com ',
  subject: ' News ',
  message: ' Hello ',
  ...changed,
});

beforeAll(() => setTexts({}));

test('each channel needs its own fields', () => {
  const empty = { phone: ' ', address: '', message: '\n' };
  expect(Object.keys(faultsOf(draft(empty)))).toEqual(['phone', 'message']);
  expect(Object.keys(faultsOf(draft({ ...empty, way: { channel: 'whatsapp' } })))).toEqual([
    'device',
    'phone',
    'message',
  ]);
  expect(Object.keys(faultsOf(draft({ ...empty, way: { channel: 'email' } })))).toEqual([
    'address',
    'message',
  ]);
  expect(faultsOf(draft({}))).toEqual({});
});

test('an address that is none and a message beyond the bound are told', () => {
  expect(faultsOf(draft({ way: { channel: 'email' }, address: 'walker' }))).toHaveProperty('address');
  expect(faultsOf(draft({ message: 'a'.repeat(20_000) }))).toEqual({});
  expect(faultsOf(draft({ message: 'a'.repeat(20_001) }))).toHaveProperty('message');
});

test('the request has what its channel takes, and the message as it was typed', () => {
  expect(requestOf(draft({}))).toEqual({
    channel: 'sms',
    body: { phone: '6111 2222', countryCode: 'HK', message: ' Hello ' },
  });
  expect(requestOf(draft({ way: { channel: 'sms', fromPhone: '+85261110000' } })).body.fromPhone).toBe(
    '+85261110000',
  );
  expect(requestOf(draft({ way: { channel: 'whatsapp' }, device: 'simulator' })).body.fromPhone).toBe(
    'simulator',
  );
  expect(requestOf(draft({ way: { channel: 'email' } }))).toEqual({
    channel: 'email',
    body: { phone: 'walker@example.com', subject: 'News', message: ' Hello ' },
  });
});
