import { insist } from '../load/insist.ts';
import type { KnownValues } from './fuzz-known.ts';
import type { FuzzOptions } from './fuzz-scene.ts';

const CARDS = [
  '4242424242424242',
  '5555555555554444',
  '4000002760003184',
  '4000000000002008',
  '4000000000000341',
];
const LATER_MS = 24 * 60 * 60_000;
const CSV = 'phone,message,name\n+85261230001,Hello {{name}},Ann\n+85261230002,Hello {{name}},Bob\n61,x,y\n';

/** Gives the account something of everything, by its own calls, and learns the ids. */
export const seedAccount = async (
  { url, main, webhookUrl }: FuzzOptions,
  known: KnownValues,
): Promise<void> => {
  const ask = async (
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<Record<string, string>> => {
    const isForm = body instanceof FormData;
    // The program may be busy with the attacks before.
    const { status, reply } = await insist(async () => {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          authorization: main.token,
          ...(body && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      if (answer.status === 503) throw new Error(`${method} ${path}: ${await answer.text()}`);
      return { status: answer.status, reply: await answer.json() };
    });
    if (status >= 400 && status !== 402) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
    known.learn(path, reply);
    return reply;
  };
  const own = `/account/${main.accountId}`;

  await ask('PUT', `${own}/setting`, { webhook: webhookUrl });
  known.add('webhook', webhookUrl);
  await ask('POST', `${own}/webhook/test`);
  for (const number of CARDS) {
    const { client_secret } = await ask('POST', '/cards/intent');
    const { auth } = await ask('POST', '/sandbox/cards/confirm', {
      client_secret,
      number,
      exp_month: 12,
      exp_year: 2040,
      cvc: '123',
    });
    const kept = await ask('POST', '/cards', { auth });
    const { _id } = kept.card as unknown as { _id: string };
    await ask('POST', `/cards/${_id}/charge`, { amount: 50 });
  }
  for (let at = 10; at < 20; at += 1) {
    await ask('POST', `${own}/contacts`, { phone: `+852612300${at}`, name: `Ann ${at}` });
    await ask('POST', `${own}/optOuts`, { channel: 'sms', phone: `+852612301${at}` });
    await ask('POST', '/sms/send', { phone: `+852612302${at}`, message: 'hello', identifier: `own-${at}` });
    await ask('POST', '/email/send', { phone: `a${at}@example.com`, message: 'hello', html: '<p>hello</p>' });
    const sendAt = new Date(Date.now() + LATER_MS).toISOString();
    await ask('POST', '/sms/send', { phone: `+852612303${at}`, message: 'later', sendAt });
  }
  for (const path of ['/sms/csvPreflight', '/sms/csvSend']) {
    const form = new FormData();
    form.append('csv', new Blob([CSV]), 'people.csv');
    await ask('POST', path, form);
  }
  const lists = ['messages', 'payments', 'ledger', 'batches', 'optOuts', 'webhook/events', 'contacts/page'];
  for (const list of lists) await ask('GET', `${own}/${list}`);
};
