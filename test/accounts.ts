import { randomBytes } from 'node:crypto';
import {
  type AccountsDeps,
  accountTasks,
  createAccount,
  openPasswords,
} from '../server/customer/accounts/index.ts';
import { openLimits } from '../server/ground/limits/index.ts';
import type { Mail, MailOutcome } from '../server/ground/mail/index.ts';
import { listLentNumbers } from '../server/traffic/lanes/index.ts';
import { testDatabase } from './database.ts';

interface Job {
  name: string;
  data: object;
}

/** Every visitor has their own email and address, so that tests share no limit. */
const newVisitor = () => {
  const mark = randomBytes(6).toString('hex');
  return { email: `visitor-${mark}@example.com`, address: `test-${mark}`, language: 'en_US' as const };
};

export const tokenIn = (mail: Mail | undefined): string =>
  /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

/** The accounts room on a real database; jobs run when `deliver` is called. */
export const openTestAccounts = async () => {
  const database = await testDatabase();
  const jobs: Job[] = [];
  const warnings: object[] = [];
  const sent: Mail[] = [];
  const deps: AccountsDeps = {
    db: database.db,
    listLentNumbers,
    queue: {
      send: async (name, data) => {
        jobs.push({ name, data });
      },
    },
    limits: openLimits({ pool: database.pool, factor: 1 }),
    passwords: openPasswords(),
    secretKey: randomBytes(32),
    processor: { name: 'sandbox' },
    registration: 'open',
    log: { warn: (facts: object) => warnings.push(facts) },
  };
  const taskDeps = {
    db: database.db,
    mailer: {
      send: async (mail: Mail): Promise<MailOutcome> => {
        sent.push(mail);
        return { outcome: 'accepted' };
      },
      close: async () => {},
    },
    publicUrl: () => 'https://posthorn.example',
    log: { warn: (facts: object) => warnings.push(facts) },
  };
  const tasks = accountTasks(taskDeps);

  /** Runs the waiting jobs and returns the mails that they sent, newest last. */
  const deliver = async (): Promise<Mail[]> => {
    const before = sent.length;
    for (const { name, data } of jobs.splice(0)) await tasks[name]?.run(data, new AbortController().signal);
    return sent.slice(before);
  };

  const activeAccount = async (facts: { admin?: boolean } = {}) => {
    const visitor = newVisitor();
    const password = 'correct horse battery';
    const accountId = await createAccount(deps, {
      ...visitor,
      password,
      admin: facts.admin ?? false,
      active: true,
    });
    if (!accountId) throw new Error('the email was taken');
    return { ...visitor, password, accountId };
  };

  return { ...database, deps, taskDeps, jobs, warnings, deliver, activeAccount, newVisitor };
};
