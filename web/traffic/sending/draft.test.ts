import { beforeAll, expect, test } from 'vitest';
import { setTexts } from '../../ground/i18n/translate.ts';
import { BUSINESS_NUMBER, type Draft, draftFaults, requestOf, uploadRequestOf } from './draft.ts';
import { SEND_NOW } from './schedule.ts';

const draft = (changed: Partial<Draft>): Draft => ({
  way: { channel: 'sms' },
  target: 'phone',
  device: '',
  country: 'HK',
  phone: ' 6111 2222 ',
  address: ' walker@example.com ',
  subject: ' News ',
  message: ' Hello ',
  file: undefined,
  template: '',
  schedule: SEND_NOW,
  ...changed,
});
const file = new File(['phone,message\n1,2'], 'People.CSV');
const missing = (changed: Partial<Draft>) => Object.keys(draftFaults(draft(changed)));

beforeAll(() => setTexts({}));

test('each channel needs its own fields', () => {
  const empty = { phone: ' ', address: '', message: '\n' };
  expect(missing(empty)).toEqual(['phone', 'message']);
  expect(missing({ ...empty, way: { channel: 'whatsapp' } })).toEqual(['device', 'phone', 'message']);
  expect(missing({ ...empty, way: { channel: 'email' } })).toEqual(['address', 'message']);
  expect(missing({})).toEqual([]);
});

test('an invalid address and a message that is too long are reported', () => {
  expect(missing({ way: { channel: 'email' }, address: 'walker' })).toEqual(['address']);
  expect(missing({ message: 'a'.repeat(20_000) })).toEqual([]);
  expect(missing({ message: 'a'.repeat(20_001) })).toEqual(['message']);
});

test('the request has what its channel takes, and the message as it was typed', () => {
  expect(requestOf(draft({}))).toEqual({
    channel: 'sms',
    body: { phone: '6111 2222', countryCode: 'HK', message: ' Hello ' },
  });
  const from = (changed: Partial<Draft>) => requestOf(draft(changed)).body.fromPhone;
  expect(from({ way: { channel: 'sms', fromPhone: '+85261110000' } })).toBe('+85261110000');
  expect(from({ way: { channel: 'email', fromPhone: 'news@example.com' } })).toBe('news@example.com');
  expect(from({ way: { channel: 'whatsapp' }, device: 'simulator' })).toBe('simulator');
  expect(from({ way: { channel: 'whatsapp' }, device: BUSINESS_NUMBER })).toBeUndefined();
  expect(requestOf(draft({ way: { channel: 'email' } }))).toEqual({
    channel: 'email',
    body: { phone: 'walker@example.com', subject: 'News', message: ' Hello ' },
  });
});

test('a file needs to be one, and nothing else but the device', () => {
  const csv = { target: 'csv' as const, phone: '', message: '' };
  expect(missing(csv)).toEqual(['file']);
  expect(missing({ ...csv, file: new File(['x'], 'people.xlsx') })).toEqual(['file']);
  const large = new File(['x'], 'people.csv');
  Object.defineProperty(large, 'size', { value: 200 * 1024 * 1024 + 1 });
  expect(missing({ ...csv, file: large })).toEqual(['file']);
  expect(missing({ ...csv, file })).toEqual([]);
  expect(missing({ ...csv, file, way: { channel: 'whatsapp' } })).toEqual(['device']);
  expect(missing({ ...csv, file, template: 'a'.repeat(20_001) })).toEqual(['template']);
});

test('with a file go the fields that its channel takes', () => {
  expect(uploadRequestOf(draft({}))).toBeUndefined();
  expect(uploadRequestOf(draft({ file }))).toEqual({ channel: 'sms', file, fields: { countryCode: 'HK' } });
  expect(
    uploadRequestOf(
      draft({ file, template: 'Hi {{name}}', way: { channel: 'whatsapp' }, device: 'simulator' }),
    ),
  ).toEqual({
    channel: 'whatsapp',
    file,
    fields: { countryCode: 'HK', fromPhone: 'simulator', message: 'Hi {{name}}' },
  });
  expect(uploadRequestOf(draft({ file, template: ' ', way: { channel: 'email' } }))).toEqual({
    channel: 'email',
    file,
    fields: { subject: 'News' },
  });
});

test('a time to send is asked for once it is wanted, and goes with the message', () => {
  const schedule = { wanted: true, sendAt: '2026-12-24 18:00 ', lateLimitMinutes: '15' };
  for (const sendAt of ['', '2026-12-24', '2026-12-24 6pm', '2026-02-30 18:00', '2026-12-24 24:01'])
    expect(missing({ schedule: { ...schedule, sendAt } })).toEqual(['schedule']);
  expect(missing({ schedule })).toEqual([]);
  expect(requestOf(draft({ schedule })).body).toMatchObject({
    sendAt: '2026-12-24T18:00',
    lateLimitMinutes: 15,
  });
  expect(requestOf(draft({ schedule: { ...schedule, wanted: false } })).body).not.toHaveProperty('sendAt');
});
