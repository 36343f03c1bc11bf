import type { AccountId } from '../contract/accounts.ts';

export interface Person {
  accountId: AccountId;
  token: string;
}

/** Queries a path below an account, and throws if nothing was found. */
type Asker = (path: string, query: Record<string, string>) => Promise<void>;
export interface Question {
  name: string;
  label: string;
  ask: (n: number) => Promise<void>;
}

export const askerOf =
  (url: string, { accountId, token }: Person): Asker =>
  async (path, query) => {
    const answer = await fetch(`${url}/api/account/${accountId}/${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: token },
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { messages, billingTotal, days } = (await answer.json()) as {
      messages?: unknown[];
      billingTotal?: number;
      days?: unknown[];
    };
    const found = messages?.length || billingTotal || days?.length;
    if (!found && query.message === undefined)
      throw new Error(`nothing was found for ${JSON.stringify(query)}`);
  };

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const month = (offset: number): string => day(offset).slice(0, 7);

export const questions = (
  customer: Asker,
  admin: Asker,
  known: { phones: string[]; ids: string[]; page: number },
): Question[] => {
  const at = (values: string[], n: number): string => values[n % values.length] ?? '';
  const parts = ['code', 'parc', 'sale', '1234', '驗證碼為', '您的預約', '訂單 1'];
  // The last one is a whole month, so it is the fullest.
  const months = [month(0), month(-new Date().getDate() - 1)];
  const deep = { skip: String((known.page - 1) * 50), dateFrom: day(-60) };
  const find = (query: Record<string, string>) => customer('messages', query);
  return [
    { name: 'first', label: 'first page and total, the largest account', ask: () => find({}) },
    {
      name: 'firstAdmin',
      label: 'first page and total, an admin over all',
      ask: () => admin('messages', {}),
    },
    {
      name: 'failed',
      label: 'the failed ones of the largest account',
      ask: () => find({ status: 'FAILED' }),
    },
    { name: 'deep', label: `page ${known.page} of 60 days, the largest account`, ask: () => find(deep) },
    {
      name: 'deepAdmin',
      label: `page ${known.page} of 60 days, an admin over all`,
      ask: () => admin('messages', deep),
    },
    {
      name: 'phone',
      label: 'a phone number',
      ask: (n) => find({ phone: at(known.phones, n), dateFrom: day(-60) }),
    },
    { name: 'id', label: 'a message id', ask: (n) => find({ _id: at(known.ids, n) }) },
    {
      name: 'text',
      label: "'contains' with 4 characters, 7 days of the largest account",
      ask: (n) => find({ message: at(parts, n) }),
    },
    {
      name: 'bill',
      label: 'the bill of a month, the largest account',
      ask: (n) => customer('billing', { date: at(months, n) }),
    },
    {
      name: 'days',
      label: 'the chart of a month by day, the largest account',
      ask: (n) => customer('billing/days', { date: at(months, n) }),
    },
  ];
};
