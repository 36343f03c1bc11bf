import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, describe, expect, test } from 'vitest';
import { openSmtpSink } from './smtp-sink.ts';

const sink = await openSmtpSink();
afterAll(sink.close);

const MAIL = 'From: a@example.com\r\nDate: Tue, 01 Jul 2025 10:52:37 +0000\r\nSubject: x\r\n\r\n';

/** Sends each line after the one before is answered, and returns all answers. */
const talk = async (lines: string[]): Promise<string[]> => {
  const socket = connect(sink.port, '127.0.0.1');
  const answers = [String((await once(socket, 'data'))[0])];
  for (const line of lines) {
    socket.write(line);
    answers.push(String((await Promise.race([once(socket, 'data'), once(socket, 'close')]))[0]));
  }
  socket.destroy();
  return answers;
};
const OPENING = ['EHLO x\r\n', 'MAIL FROM:<a@example.com>\r\n', 'RCPT TO:<b@example.com>\r\n', 'DATA\r\n'];

describe('the mail sink', () => {
  test("takes what somebody else's client sends, and says nothing against it", async () => {
    const transport = createTransport({ url: sink.url });
    await transport.sendMail({
      from: 'a@example.com',
      to: 'b@example.com, c@example.com',
      subject: '你好',
      text: '.\n..\nend',
      html: '<p>x</p>',
    });
    transport.close();
    expect(sink.received.at(-1)?.to).toEqual(['b@example.com', 'c@example.com']);
    expect(sink.violations).toEqual([]);
  });

  test.each([
    ['an LF alone', `${MAIL}a\nb\r\n.\r\n`, /^554 5\.6\.0 a CR or an LF alone/],
    ['a CR alone', `${MAIL}a\rb\r\n.\r\n`, /^554 5\.6\.0 a CR or an LF alone/],
    ['a long line', `${MAIL}${'x'.repeat(999)}\r\n.\r\n`, /^554 5\.6\.0 a line above 998/],
    ['no date', 'From: a@example.com\r\n\r\nx\r\n.\r\n', /^554 5\.6\.0 there must be one date/],
    [
      'no sender',
      'Date: Tue, 01 Jul 2025 10:52:37 +0000\r\n\r\nx\r\n.\r\n',
      /^554 5\.6\.0 there must be one from/,
    ],
    ['two subjects', `Subject: y\r\n${MAIL}x\r\n.\r\n`, /^554 5\.6\.0 there may be one subject/],
    ['a header of 8 bits', `X: \xe9\r\n${MAIL}x\r\n.\r\n`, /^554 5\.6\.7/],
    ['a body of 8 bits', `${MAIL}\xe9\r\n.\r\n`, /^554 5\.6\.3/],
    ['nothing', '.\r\n', /^554 5\.6\.0/],
    ['a proper mail', `${MAIL}x\r\n.\r\n`, /^250 /],
  ])('%s in the content', async (_, content, answer) => {
    expect((await talk([...OPENING, content])).at(-1)).toMatch(answer);
  });

  test.each([
    ['MAIL before EHLO', ['MAIL FROM:<a@example.com>\r\n'], /^503/],
    ['RCPT before MAIL', ['EHLO x\r\n', 'RCPT TO:<b@example.com>\r\n'], /^503/],
    ['DATA without recipients', [...OPENING.slice(0, 2), 'DATA\r\n'], /^503/],
    ['MAIL within a mail', [...OPENING.slice(0, 2), 'MAIL FROM:<c@example.com>\r\n'], /^503/],
    ['a misspelled path', ['EHLO x\r\n', 'MAIL FROM: a@example.com\r\n'], /^501/],
    ['an unknown parameter', ['EHLO x\r\n', 'MAIL FROM:<a@example.com> FOO=1\r\n'], /^555/],
    ['content before it is asked for', [...OPENING.slice(0, 3), `DATA\r\n${MAIL}.\r\n`], /^554/],
    ['an address that is not ASCII', [...OPENING.slice(0, 2), 'RCPT TO:<ü@example.com>\r\n'], /^553/],
  ])('%s', async (_, lines, answer) => {
    expect((await talk(lines)).at(-1)).toMatch(answer);
  });
});
