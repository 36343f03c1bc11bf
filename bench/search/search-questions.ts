import type { AccountId } from '../../contract/customer/accounts.ts';
import { RARE } from './search-rows.ts';

export interface Person {
  accountId: AccountId;
  token: string;
}

/** Queries a path below an account, or one that begins with a slash; throws if nothing was found, unless it may be so. */
type Asker = (path: string, query: Record<string, string>, mayLack?: boolean) => Promise<void>;
export interface Question {
  name: string;
  label: string;
  ask: (n: number) => Promise<void>;
}

export const askerOf =
  (url: string, { accountId, token }: Person): Asker =>
  async (path, query, mayLack = false) => {
    const place = path.startsWith('/') ? path : `/account/${accountId}/${path}`;
    const answer = await fetch(`${url}/api${place}?${new URLSearchParams(query)}`, {
      headers: { authorization: token },
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { messages, billingTotal, days, rows, by, traffic } = (await answer.json()) as {
      messages?: unknown[];
      billingTotal?: number;
      days?: unknown[];
      rows?: unknown[];
      by?: { channel: unknown[] };
      traffic?: unknown[];
    };
    const found =
      messages?.length ||
      billingTotal ||
      days?.length ||
      rows?.length ||
      by?.channel.length ||
      traffic?.length;
    if (!found && !mayLack) throw new Error(`nothing was found for ${JSON.stringify(query)}`);
  };

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const month = (offset: number): string => day(offset).slice(0, 7);

interface Known {
  /** The largest account, and a small one. */
  customerId: AccountId;
  smallId: AccountId;
  phones: string[];
  ids: string[];
  page: number;
  /** There are so many messages that some match whatever matches much. */
  many: boolean;
}

type Filter = (known: Known, n: number) => Record<string, string>;
const at = (values: string[], n: number): string => values[n % values.length] ?? '';

/** What an admin's filters find: much, little (a page of it reaches back for days), or nothing. */
const MUCH: Record<string, Filter> = {
  account: ({ customerId }) => ({ accountId: customerId }),
  'phone ID': () => ({ phoneId: 'phone-1' }),
  'carrier names': () => ({ carrierNames: 'csl,three' }),
  'SMS provider': () => ({ provider: 'smpp' }),
  'SIM method': () => ({ method: 'sim-modem' }),
  SUCCESS: () => ({ status: 'SUCCESS' }),
  FAILED: () => ({ status: 'FAILED' }),
  CANCELLED: () => ({ status: 'CANCELLED' }),
  FAILED_WITH_EXCEPTION: () => ({ status: 'FAILED_WITH_EXCEPTION' }),
  channel: () => ({ channel: 'whatsapp' }),
  direction: () => ({ type: 'incoming' }),
  country: () => ({ country: 'SG' }),
  'latest update': () => ({ sort: 'updatedAt' }),
};
const LITTLE: Record<string, Filter> = {
  account: ({ smallId }) => ({ accountId: smallId }),
  'phone ID': () => ({ phoneId: RARE }),
  'carrier names': () => ({ carrierNames: `${RARE},nobody` }),
  'SMS provider': () => ({ provider: RARE }),
  'SIM method': () => ({ method: 'gammu' }),
  PENDING: () => ({ status: 'PENDING' }),
  country: () => ({ country: 'KH' }),
  'phone number': ({ phones }, n) => ({ phone: at(phones, n) }),
  'the first four digits of a phone number': ({ phones }, n) => ({ phone: at(phones, n).slice(0, 8) }),
  'message ID': ({ ids }, n) => ({ _id: at(ids, n) }),
};
const NOTHING: Record<string, Filter> = {
  account: () => ({ accountId: '00000000-0000-7000-8000-000000000000' }),
  'phone ID': () => ({ phoneId: 'nobody' }),
  'carrier names': () => ({ carrierNames: 'nobody' }),
  'SMS provider': () => ({ provider: 'nobody' }),
  'SIM method': () => ({ method: 'sim-web' }),
  country: () => ({ country: 'ZW' }),
  'phone number': () => ({ phone: '+85299990000' }),
};

/** Each filter over the usual days, its first page and a later one, and over one day. */
const filterQuestions = (admin: Asker, known: Known): Question[] => {
  const ask = (filter: Filter, more: Record<string, string>, mayLack: boolean) => (n: number) =>
    admin('messages', { ...filter(known, n), ...more }, mayLack);
  const of = (kind: string, filters: Record<string, Filter>, laterSkip: number): Question[] =>
    Object.entries(filters).flatMap(([name, filter]) => {
      const one = (part: string, more: Record<string, string>, mayLack = true): Question => ({
        name: `admin ${name}, ${kind}, ${part}`,
        label: `an admin's ${name} (${kind}), ${part}`,
        ask: ask(filter, more, mayLack),
      });
      return [
        one('8 days', {}, kind === 'nothing' || !known.many),
        ...(laterSkip > 0 ? [one(`page ${laterSkip / 50 + 1}`, { skip: String(laterSkip) })] : []),
        ...(kind === 'much' ? [one('a day', { dateFrom: day(-1), dateTo: day(-1) })] : []),
      ];
    });
  return [...of('much', MUCH, 450), ...of('little', LITTLE, 50), ...of('nothing', NOTHING, 0)];
};

/** Pages of admins that are made from counters. */
const counterQuestions = (admin: Asker): Question[] => [
  {
    name: 'admin status report',
    label: 'the status report of a day',
    ask: (n) => admin('/report/status', { date: day(-(n % 30)) }),
  },
  {
    name: 'admin advanced report',
    label: 'the advanced report of a day',
    ask: (n) => admin('/report/advance', { date: day(-(n % 30)) }),
  },
  { name: 'admin overview', label: 'the overview', ask: () => admin('/admin/overview', {}) },
];

/** What no counter or index answers; measured without a bar. */
const slowQuestions = (admin: Asker, known: Known): Question[] => [
  {
    name: 'slow account and phone',
    label: 'an account and a phone at once, an admin',
    ask: () => admin('messages', { accountId: known.customerId, phoneId: 'phone-1' }),
  },
  {
    name: 'slow text',
    label: "'contains' with 4 characters, 8 days of everyone, an admin",
    ask: (n) => admin('messages', { message: at(TEXT_PARTS, n) }, true),
  },
];

/** Those whose bar is an admin's. */
export const isAdmins = (name: string): boolean => name.startsWith('admin ');

const TEXT_PARTS = ['code', 'parc', 'sale', '1234', '驗證碼為', '您的預約', '訂單 1'];

export const questions = (customer: Asker, admin: Asker, known: Known): Question[] => {
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
      ask: (n) => customer('messages', { message: at(TEXT_PARTS, n) }, true),
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
    ...counterQuestions(admin),
    ...filterQuestions(admin, known),
    ...slowQuestions(admin, known),
  ];
};
