import type { Page } from '@playwright/test';
import type { Body, CallName, Reply } from '../../contract/calls.ts';
import { SANDBOX_CARDS, type SandboxCardKind } from '../../contract/sandbox-cards.ts';
import { callApi, mailedToken } from '../api.ts';
import { expect, newPerson, type Person, withSession } from './fixtures.ts';

type Program = Parameters<typeof withSession>[1];

export interface Customer extends Person {
  accountId: string;
  /** A call of this customer; it has to succeed. */
  call: <N extends CallName>(
    name: N,
    options?: { body?: Body<N>; params?: Record<string, string> },
  ) => Promise<Reply<N>>;
  /** Adds a test card without the page. */
  addCard: (kind: SandboxCardKind) => Promise<string>;
}

/** A separate customer for a test, signed in in this browser. */
export const newCustomer = async (page: Page, program: Program): Promise<Customer> => {
  const person = newPerson();
  const { url } = program;
  expect((await callApi(url, 'POST /account/register', { body: person })).status).toBe(200);
  await callApi(url, 'POST /activate', { body: { token: await mailedToken(url, person.email) } });
  const token = await withSession(page, program, person);

  const call: Customer['call'] = async (name, options = {}) => {
    const { status, reply } = await callApi(url, name, { ...options, token });
    expect(status, `${name}: ${JSON.stringify(reply)}`).toBe(200);
    return reply;
  };

  const addCard: Customer['addCard'] = async (kind) => {
    const number = SANDBOX_CARDS.find((card) => card.kind === kind)?.number ?? '';
    const { client_secret } = await call('POST /cards/intent');
    const { auth } = await call('POST /sandbox/cards/confirm', {
      body: { client_secret, number, exp_month: 12, exp_year: new Date().getFullYear() + 4, cvc: '123' },
    });
    return (await call('POST /cards', { body: { auth } })).card._id;
  };

  const { _id: accountId } = await call('GET /account/me/profile');
  return { ...person, accountId, call, addCard };
};

/** Opens a page of the dashboard and waits until its name is shown. */
export const openPage = async (page: Page, path: string, title: string): Promise<void> => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
};
