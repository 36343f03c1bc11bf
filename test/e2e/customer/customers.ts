import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import type { Body, CallName, Reply } from '../../../contract/calls.ts';
import { SANDBOX_CARDS, type SandboxCardKind } from '../../../contract/customer/sandbox-cards.ts';
import { callApi } from '../../api.ts';
import { expect, newPerson, type Person, putSession, type RunningProgram, withSession } from '../fixtures.ts';

/** A call of somebody who has signed in; it has to succeed. */
export type Call = <N extends CallName>(
  name: N,
  options?: { body?: Body<N>; params?: Record<string, string> },
) => Promise<Reply<N>>;

export interface Customer extends Person {
  accountId: string;
  call: Call;
  /** Adds a test card without the page. */
  addCard: (kind: SandboxCardKind) => Promise<string>;
}

/** Among the mails of tests that run at the same time. */
const NEWEST = 20;
const MAIL_LOOK_MS = 25;
const MAIL_TIMEOUT_MS = 20_000;

/** From the mail's file: the page of the mailbox reads hundreds of them each time that it is asked. */
const activationToken = async ({ dataDir }: RunningProgram, to: string): Promise<string> => {
  const folder = join(dataDir, 'mailbox');
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; await sleep(MAIL_LOOK_MS)) {
    // The first mail makes the folder.
    const found = await readdir(folder).catch((): string[] => []);
    const names = found.filter((name) => name.endsWith('.eml')).sort();
    for (const name of names.slice(-NEWEST).reverse()) {
      const raw = await readFile(join(folder, name));
      const mail = raw.includes(to) ? await PostalMime.parse(raw) : undefined;
      const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
      if (token) return token;
    }
  }
  throw new Error(`No mail to ${to} arrived.`);
};

type Registered = Person & Reply<'POST /activate'>;

/** The answer comes later than the mail, on purpose: it is not waited for before the link is followed. */
const register = async (program: RunningProgram): Promise<Registered> => {
  const person = newPerson();
  const { url } = program;
  const follow = async () =>
    callApi(url, 'POST /activate', { body: { token: await activationToken(program, person.email) } });
  const [asked, activated] = await Promise.all([
    callApi(url, 'POST /account/register', { body: person }),
    follow(),
  ]);
  if (asked.status !== 200 || activated.status !== 200)
    throw new Error(`Nobody could register: ${JSON.stringify([asked.error, activated.error])}`);
  return { ...person, ...activated.reply };
};

/** Of each program the customer of the next test, who registers while the one before is used. */
const upcoming = new WeakMap<RunningProgram, Promise<Registered>>();

const nextCustomer = (program: RunningProgram): Promise<Registered> => {
  const next = upcoming.get(program) ?? register(program);
  const following = next.catch(() => {}).then(() => register(program));
  // The test that needs it is told; after the last one nobody does, and the program may end meanwhile.
  following.catch(() => {});
  upcoming.set(program, following);
  return next;
};

const callsOf =
  (url: string, token: string): Call =>
  async (name, options = {}) => {
    const { status, reply } = await callApi(url, name, { ...options, token });
    expect(status, `${name}: ${JSON.stringify(reply)}`).toBe(200);
    return reply;
  };

/** Signs the admin in in this browser, and returns the admin's calls. */
export const asAdmin = async (page: Page, program: RunningProgram): Promise<Call> =>
  callsOf(program.url, await withSession(page, program, program.admin));

/** Of the demo's customer, whose messages are there from the start and stay as they are. */
export const demoAccountId = async ({ url, customer }: RunningProgram): Promise<string> =>
  (await callApi(url, 'POST /account/login', { body: customer })).reply.accountId;

/** A separate customer for a test, signed in in this browser. */
export const newCustomer = async (page: Page, program: RunningProgram): Promise<Customer> => {
  const { url } = program;
  const { token, accountId, ...person } = await nextCustomer(program);
  await putSession(page, { token, accountId, email: person.email });

  const call = callsOf(url, token);

  const addCard: Customer['addCard'] = async (kind) => {
    const number = SANDBOX_CARDS.find((card) => card.kind === kind)?.number ?? '';
    const { client_secret } = await call('POST /cards/intent');
    const { auth } = await call('POST /sandbox/cards/confirm', {
      body: { client_secret, number, exp_month: 12, exp_year: new Date().getFullYear() + 4, cvc: '123' },
    });
    return (await call('POST /cards', { body: { auth } })).card._id;
  };

  return { ...person, accountId, call, addCard };
};

/** Opens a page of the dashboard and waits until its name is shown. */
export const openPage = async (page: Page, path: string, title: string): Promise<void> => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
};
