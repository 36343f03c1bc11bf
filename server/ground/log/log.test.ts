import { expect, it } from 'vitest';
import { openLog } from './log.ts';

const logged = (fields: object): string => {
  const lines: string[] = [];
  openLog({ level: 'info', write: (line) => lines.push(line) }).info(fields, 'done');
  return lines.join('');
};

it('keeps secrets, addresses and numbers out, however deep', () => {
  const line = logged({
    job: { data: { email: 'a@example.com', phoneNumber: '61112222' }, list: [{ token: 'abc' }] },
    authorization: 'xyz',
    account: '42',
  });
  expect(line).not.toMatch(/example|61112222|abc|xyz/);
  expect(line).toContain('"account":"42"');
});

it("scrubs an error's text and its causes, and leaves out what the driver adds", () => {
  const cause = Object.assign(new Error('no route to +852 6111 2222'), {
    code: '23505',
    detail: 'Key (email)=(a@example.com)',
  });
  const line = logged({ err: new Error('sending to a@example.com failed', { cause }) });
  expect(line).not.toMatch(/example|6111|detail/);
  expect(line).toContain('"code":"23505"');
  expect(line).toContain('sending to [email] failed');
});
