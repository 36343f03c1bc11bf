import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { MailSummary } from '../../../contract/office/mailbox.ts';
import { sampleMail } from '../../../test/suites/mailer-suite.ts';
import { mailboxFilesMailer } from '../../providers/mailbox-files/index.ts';
import { openMailList, readMail } from './read-mailbox.ts';

type MailId = MailSummary['_id'];

const parent = await mkdtemp(join(tmpdir(), 'mailbox-test-'));
afterAll(() => rm(parent, { recursive: true }));
const folder = join(parent, 'mailbox');
const listMails = openMailList(folder);

const sendAt = (time: string, subject: string) =>
  mailboxFilesMailer({ folder, from: 'no-reply@posthorn.example', now: () => new Date(time) }).send({
    ...sampleMail,
    subject,
  });

test('a mailbox that nothing was sent to yet is empty', async () => {
  expect(await listMails()).toEqual([]);
});

test('mails are listed newest first, each as it was sent', async () => {
  await sendAt('2026-11-15T02:00:00.000Z', 'earlier');
  await sendAt('2026-11-15T02:00:01.000Z', 'later');
  const mails = await listMails();
  expect(mails).toMatchObject([
    { subject: 'later', to: sampleMail.to, createdAt: '2026-11-15T02:00:01.000Z' },
    { subject: 'earlier', to: sampleMail.to, createdAt: '2026-11-15T02:00:00.000Z' },
  ]);
  const mail = await readMail(folder, mails[0]?._id as MailId);
  expect(mail).toMatchObject({ subject: 'later', html: expect.stringContaining('歡迎使用') });
  expect(mail.text.trim()).toBe(sampleMail.text.trim());
});

test('half-written mails, other files, folders and links are not mails', async () => {
  await writeFile(join(folder, '20261115T020002000Z-00000000.eml.part'), 'Subject: half');
  await writeFile(join(folder, 'notes.txt'), 'Subject: notes');
  await mkdir(join(folder, 'folder.eml'));
  await writeFile(join(parent, 'outside.eml'), 'Subject: outside\n\n');
  await symlink(join(parent, 'outside.eml'), join(folder, 'link.eml'));
  expect((await listMails()).map(({ subject }) => subject)).toEqual(['later', 'earlier']);
});

test.each([
  '../outside.eml',
  '..%2foutside.eml',
  '/etc/passwd',
  'nothing.eml',
  '.eml',
  '..',
  '',
  'a\u0000.eml',
  'link.eml',
  'folder.eml',
])('the name %j leads nowhere', async (name) => {
  await expect(readMail(folder, name as MailId)).rejects.toThrow('E_NOT_FOUND');
});

test('a file that is no mail is shown rather than breaking the list', async () => {
  await writeFile(join(folder, '0-broken.eml'), Buffer.of(0, 255, 10, 13, 1));
  expect((await listMails()).at(-1)).toMatchObject({ _id: '0-broken.eml', subject: '' });
  await rm(join(folder, '0-broken.eml'));
});

test('mails that come and go between two looks, many at once, are seen', async () => {
  await writeFile(join(folder, '0-new.eml'), 'Subject: new\n\n');
  for (const mails of await Promise.all(Array.from({ length: 5 }, listMails)))
    expect(mails.map(({ subject }) => subject)).toEqual(['later', 'earlier', 'new']);
  await rm(join(folder, '0-new.eml'));
  expect((await listMails()).map(({ subject }) => subject)).toEqual(['later', 'earlier']);
});

test('the newest two hundred are listed', async () => {
  for (let at = 0; at < 205; at += 1)
    await writeFile(join(folder, `1-${String(at).padStart(3, '0')}.eml`), `Subject: ${at}\n\n`);
  const mails = await listMails();
  expect(mails).toHaveLength(200);
  expect(mails[0]?.subject).toBe('later');
  expect(mails.at(-1)?.subject).toBe('7');
});

test('of very many mails the newest 200 are listed', async () => {
  const many = join(parent, 'many');
  await mkdir(many);
  const nameOf = (number: number): string => `20261115T02${String(number).padStart(7, '0')}Z-00000000.eml`;
  // Neither oldest nor newest first.
  const numbers = Array.from({ length: 2_500 }, (_, at) => (at * 1_237) % 2_500);
  for (const number of numbers) await writeFile(join(many, nameOf(number)), `Subject: ${number}\n\n`);
  const subjects = (await openMailList(many)()).map(({ subject }) => subject);
  expect(subjects).toEqual(Array.from({ length: 200 }, (_, at) => String(2_499 - at)));
});
