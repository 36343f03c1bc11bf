import type { Random } from './fuzz-random.ts';

/** Texts that programs stumble over. Hosts in them are on this machine or nowhere: nothing leaves it. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202egnp.exe',
  '\r\n\r\n.\r\n',
  'Subject: x\r\nBcc: y@example.invalid',
  "'; drop table accounts; --",
  '%00%0a%0d',
  '%',
  '_%\\',
  '\\',
  '$1',
  '$&$`',
  '{{a}}'.repeat(30),
  '{{constructor}}',
  '{{__proto__}}',
  '<script>alert(1)</script>',
  '=cmd|/c calc!A1',
  '../../../../etc/passwd',
  '..%2f..%2f',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '1e309',
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999999999',
  '0x10',
  '١٢٣',
  '+852６１２３４５６７',
  'e\u0301'.repeat(20),
  '👩‍👩‍👧‍👦',
  'İıſK',
  '\u0001\u0002\u001b[31m',
  'true',
  '[]',
  '{}',
  '__proto__',
  'toString',
  'any',
  'Any',
] as const;

const PHONES = ['+85261234567', '61234567', '+14155550123', '+441632960961', '85291234567', '+6591234567'];
const EMAILS = ['a@example.com', '"quoted part"@example.com', 'x@[127.0.0.1]', '名@例子.公司'];

/** Texts that make sense where a field of this name is asked for. */
const NATURAL: Record<string, readonly string[]> = {
  phone: [...PHONES, ...EMAILS],
  phoneNumber: ['61234567', '852', ...PHONES],
  fromPhone: ['', ...PHONES],
  countryCode: ['+852', 'HK', '852', '+1', 'GB', '+999', 'zz'],
  keyword: ['852', '612345', 'exam', '%%%', 'Ann'],
  email: EMAILS,
  message: ['hello', '你好，世界', 'Hi {{name}}', 'STOP', 'x'.repeat(161)],
  html: ['<p>hi</p>', '<b>{{name}}</b>'],
  subject: ['hello', '', '主旨'],
  sendAt: ['2026-12-24T18:00', '2999-01-01T00:00:00Z', '1970-01-01T00:00', '2026-13-45T99:99', 'tomorrow'],
  amount: ['20', '20.00', '-5', '1e3', '1,000', '0.001', '20.005'],
  webhook: ['', 'http://127.0.0.1:9/hook', 'https://hooks.invalid/x', 'http://[::1]:1/', 'javascript:1'],
  number: ['4242424242424242', '4000000000000002', '4000002500003155', '4242 4242 4242 4242', '1'],
  cvc: ['123', '1234', '12', 'abc'],
  provider: ['smpp', 'twilio', 'simulator', 'http-sms', 'smtp-relay', 'whatsapp-cloud'],
  name: ['Ann', '陳大文', 'lane-1'],
  csv: [
    'channel,country,carrierName,range,unitPrice,validFrom,validUntil\nsms,HK,,,0.05,,\n',
    'unitPrice,country,channel\n0.04,GB,sms\n0.03,zz,email\n',
    'channel,country,unitPrice\n"sms,HK,1\n',
  ],
};

const LETTERS = [...'abc XYZ 0129 -_.,:;!?@#&/+\n\t"\'<>{}()éß漢字🙂'];

const longText = (random: Random, length: number): string => {
  const piece = random.chance(0.5) ? random.pick(HOSTILE_TEXTS) || 'x' : random.pick(LETTERS);
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
};

/** Of a field without a bound of its own. */
const USUAL_LENGTH = 300;

/** A text of a length within these bounds, natural for the field or hostile, sometimes as long as may be. */
export const textFor = (
  random: Random,
  field: string,
  { min = 0, max = USUAL_LENGTH }: { min?: number; max?: number },
): string => {
  const natural = NATURAL[field];
  let text: string;
  if (natural && random.chance(0.6)) text = random.pick(natural);
  else if (random.chance(0.6)) text = random.pick(HOSTILE_TEXTS);
  // Rarely: the longest fields have half a million characters.
  else if (random.chance(max > 2_000 ? 0.01 : 0.1)) text = longText(random, max);
  else text = longText(random, random.int(Math.min(max, 60) + 1));
  if (text.length < min) text += 'x'.repeat(min - text.length);
  return text.slice(0, max);
};
