import { expect, test } from 'vitest';
import { acceptEmail } from './email.ts';

test.each([
  [' Customer@Example.COM ', 'customer@example.com'],
  ['"Quoted Name"@example.com', '"quoted name"@example.com'],
  ['someone@studio.photography', 'someone@studio.photography'],
  ['someone@studio.xn--j6w193g', 'someone@studio.xn--j6w193g'],
  ['info@例子.香港', 'info@例子.香港'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
])('%j is kept as %j', (typed, email) => {
  expect(acceptEmail(typed)).toBe(email);
});

test.each([
  '',
  'someone',
  'someone@example',
  'x@[127.0.0.1]',
  'someone@ｅｘａｍｐｌｅ.com',
  'ｓomeone@example.com',
  'someone＠example.com',
  'someone@example.c',
  'someone@example.123',
  'someone@-example.com',
  `someone@${'a'.repeat(64)}.com`,
  'a b@example.com',
  'a\u0000b@example.com',
  '"a\u0007"@example.com',
])('%j is refused', (typed) => {
  expect(() => acceptEmail(typed)).toThrow('E_EMAIL_INVALID');
});
