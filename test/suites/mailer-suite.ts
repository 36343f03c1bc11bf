import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Mail, Mailer } from '../../server/ground/mail/index.ts';

export const sampleMail: Mail = {
  to: 'customer@example.com',
  subject: '啟用你的帳戶 – “now”',
  text: '歡迎使用。\n\nhttps://posthorn.example/activate?token=abc\n',
  html: '<!doctype html><p>歡迎使用。</p>',
  language: 'zh_HK',
  messageId: '5a4f0a30-9df4-4c3c-9a0e-6d1b8f0c1f7e@posthorn.example',
};

/** The behaviour that every mailer must have; `rawMails` returns what has been sent so far, oldest first. */
export const mailerSuite = (mailer: Mailer, rawMails: () => Promise<Buffer[]>): void => {
  const newest = async () => PostalMime.parse((await rawMails()).at(-1) ?? '');

  test('a mail arrives with both its forms and its headers', async () => {
    expect(await mailer.send(sampleMail)).toEqual({ outcome: 'accepted' });
    const mail = await newest();
    expect(mail.from).toEqual({ name: 'Posthorn', address: 'no-reply@posthorn.example' });
    expect(mail.to).toEqual([{ name: '', address: 'customer@example.com' }]);
    expect(mail.subject).toBe(sampleMail.subject);
    expect(mail.text?.trim()).toBe(sampleMail.text.trim());
    expect(mail.html?.trim()).toBe(sampleMail.html);
    expect(mail.messageId).toBe(`<${sampleMail.messageId}>`);
    expect(Date.parse(mail.date ?? '')).toBeGreaterThan(Date.now() - 60_000);
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('content-language')).toBe('zh-HK');
    expect(header('auto-submitted')).toBe('auto-generated');
  });

  test('a text that names a file or an address is sent as it stands', async () => {
    await mailer.send({ ...sampleMail, text: 'file:///etc/passwd', html: 'https://example.com/' });
    const mail = await newest();
    expect(mail.text?.trim()).toBe('file:///etc/passwd');
    expect(mail.html?.trim()).toBe('https://example.com/');
  });

  test('many mails at once all arrive', async () => {
    const before = (await rawMails()).length;
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(sampleMail)));
    expect(await rawMails()).toHaveLength(before + 20);
  });
};
