import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { openSmtpSink } from '../../../test/emulators/smtp-sink/smtp-sink.ts';
import { mailerSuite, sampleMail } from '../../../test/suites/mailer-suite.ts';
import { smtpMailer } from './smtp-mailer.ts';

const FROM = 'Posthorn <no-reply@posthorn.example>';

const sink = await openSmtpSink();
const mailer = smtpMailer({ url: sink.url, from: FROM });
afterAll(async () => {
  await mailer.close();
  await sink.close();
});

describe('the SMTP mailer', () => {
  mailerSuite(mailer, async () => sink.received.map(({ raw }) => raw));

  test('the envelope names the sender and the one recipient', async () => {
    await mailer.send(sampleMail);
    expect(sink.received.at(-1)).toMatchObject({
      from: 'no-reply@posthorn.example',
      to: ['customer@example.com'],
    });
  });

  test.each(['refused', 'spam'])('a mail to %s@ is refused for good', async (name) => {
    expect(await mailer.send({ ...sampleMail, to: `${name}@example.com` })).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(/^the mail server answered 55\d$/),
    });
  });

  test('a refusal for now is thrown, so that the mail is tried again', async () => {
    await expect(mailer.send({ ...sampleMail, to: 'later@example.com' })).rejects.toThrow('451');
  });

  test('a sender that the server does not take is a fault of the settings: the mail is tried again', async () => {
    const misconfigured = smtpMailer({ url: sink.url, from: 'forbidden@example.com' });
    await expect(misconfigured.send(sampleMail)).rejects.toThrow('550');
    await misconfigured.close();
  });

  test('a server that is away is thrown', async () => {
    const away = await openSmtpSink();
    await away.close();
    const lost = smtpMailer({ url: away.url, from: FROM });
    await expect(lost.send(sampleMail)).rejects.toThrow('ECONNREFUSED');
    await lost.close();
  });

  test('a server that never speaks is not waited for without end', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const waiting = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeoutMs: 200 });
    await expect(waiting.send(sampleMail)).rejects.toThrow(/greeting/i);
    await waiting.close();
    silent.close();
  });
});
