import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { mailerSuite, sampleMail } from '../../../test/suites/mailer-suite.ts';
import { mailboxFilesMailer } from './mailbox-files-mailer.ts';

const FROM = 'Posthorn <no-reply@posthorn.example>';
const parent = await mkdtemp(join(tmpdir(), 'mailbox-test-'));
afterAll(() => rm(parent, { recursive: true }));
const folder = join(parent, 'not', 'made', 'yet');

const rawMails = async () =>
  Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name))));

describe('the mailbox-files mailer', () => {
  mailerSuite(mailboxFilesMailer({ folder, from: FROM }), rawMails);

  test('the folder and the mails are for their owner alone, and no half-written file stays', async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const names = await readdir(folder);
    for (const name of names) {
      expect(name).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{8}\.eml$/);
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
  });

  test('a recipient can’t smuggle in another one', async () => {
    const place = join(parent, 'quoted');
    const mailer = mailboxFilesMailer({ folder: place, from: FROM });
    await mailer.send({ ...sampleMail, to: '"a, b@example.com"@example.org' });
    const [name = ''] = await readdir(place);
    const { to } = await PostalMime.parse(await readFile(join(place, name)));
    expect(to).toHaveLength(1);
    expect(to?.[0]?.address).toMatch(/example\.org$/);
  });

  test('the names sort by the time of sending', async () => {
    const times = ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.001Z'];
    const place = join(parent, 'sorted');
    for (const [at, time] of times.entries())
      await mailboxFilesMailer({ folder: place, from: FROM, now: () => new Date(time) }).send({
        ...sampleMail,
        subject: `mail ${at}`,
      });
    const mails = await Promise.all(
      (await readdir(place)).sort().map((name) => readFile(join(place, name), 'utf8')),
    );
    expect(mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])).toEqual(['mail 0', 'mail 1', 'mail 2']);
  });

  test('a folder that can’t be written is thrown, so that the mail is tried again', async () => {
    await writeFile(join(parent, 'file'), '');
    const blocked = mailboxFilesMailer({ folder: join(parent, 'file', 'mailbox'), from: FROM });
    await expect(blocked.send(sampleMail)).rejects.toThrow('ENOTDIR');
  });
});
