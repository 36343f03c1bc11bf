import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestLists } from '../../../test/list-app.ts';
import { takeBatchRecipients } from '../../traffic/outbox/index.ts';
import { exportContacts } from './export-contacts.ts';
import { keepContacts } from './keep-contacts.ts';
import { makeContacts, recordContacts } from './make-contacts.ts';

const room = await openTestLists();
const { db, ask, inject, upload, customer } = room;
afterAll(async () => {
  expect(await room.close()).toEqual([]);
});

const makeAll = async () => {
  while ((await makeContacts(db, takeBatchRecipients)) > 0);
};
const book = (accountId: string) => `/account/${accountId}/contacts`;
const send = (bearer: string, phone: string, channel = 'sms') =>
  ask(`POST /${channel}/send`, { bearer, body: { phone, message: 'hello' } });
const names = ({ contacts }: { contacts: { phone: string }[] }) => contacts.map(({ phone }) => phone);

test('contacts are who was written to, last first, found from 3 characters on', async () => {
  const { accountId, token, secret } = await customer();
  const other = await customer();
  for (const phone of ['6111 2222', '6111 3333', '6111 2222', '9123 4567']) await send(secret, phone);
  await send(secret, 'Jo_e@example.com', 'email');
  await send(other.secret, '6111 4444');
  await makeAll();
  const find = async (keyword: string, bearer = token) =>
    ask(`GET ${book(accountId)}?keyword=${encodeURIComponent(keyword)}`, { bearer });
  expect(names(await find('6111'))).toEqual(['+85261112222', '+85261113333']);
  expect(names(await find('6111 22'))).toEqual(['+85261112222']);
  expect(names(await find('+8529'))).toEqual(['+85291234567']);
  expect((await find('JO_')).contacts).toEqual([{ phone: 'Jo_e@example.com', channel: 'email', name: '' }]);
  for (const keyword of ['%%%', '\0\0\0', '61', '61\0', '   '])
    expect(names(await find(keyword))).toEqual([]);
  expect(await find('6111', other.token)).toMatchObject({ http: 404 });
  expect(await find('6111', secret)).toMatchObject({ http: 401 });
});

test('a name finds its contact too, by any three characters of it, Chinese ones as well', async () => {
  const { accountId, token: bearer } = await customer();
  const enter = (phone: string, name: string) =>
    ask(`POST ${book(accountId)}`, { bearer, body: { phone, name } });
  await enter('6111 2222', '九龍陳大文先生');
  await enter('6111 3333', 'Ann Lee');
  const find = async (keyword: string) =>
    (await ask(`GET ${book(accountId)}?keyword=${encodeURIComponent(keyword)}`, { bearer })).contacts;
  expect(await find('陳大文')).toEqual([{ phone: '+85261112222', channel: 'sms', name: '九龍陳大文先生' }]);
  expect(names({ contacts: await find('n LE') })).toEqual(['+85261113333']);
  expect(await find('陳大')).toEqual([]);
  const page = await ask(`GET ${book(accountId)}/page?keyword=${encodeURIComponent('陳')}`, { bearer });
  expect(names(page)).toEqual(['+85261112222']);
});

test('all of a large file become contacts, piece by piece, each once, with any number of workers', async () => {
  const { accountId, secret: bearer } = await customer();
  await room.addMoney(accountId, 200);
  const rows = Array.from({ length: 2_500 }, (_, at) => `6${String(at % 2_400).padStart(7, '1')},text ${at}`);
  expect(await upload('/sms/csvSend', rows.join('\n'), { bearer })).toMatchObject({ http: 200 });
  const count = async () => {
    const { rows: found } = await sql<{ count: number }>`
      select count(*)::int as count from contacts where account_id = ${accountId}`.execute(db);
    return found[0]?.count;
  };
  await makeAll();
  // While it is being sent, nobody needs them.
  expect(await count()).toBe(0);
  await sql`update batches set created_at = created_at - interval '2 minutes' where account_id = ${accountId}`.execute(
    db,
  );
  await sql`update messages set created_at = created_at - interval '2 minutes' where account_id = ${accountId}`.execute(
    db,
  );
  // Later messages don't wait for all of it either.
  const other = await customer();
  await send(other.secret, '6111 2222');
  await makeContacts(db, takeBatchRecipients);
  expect(await count()).toBeLessThanOrEqual(1_000);
  const page = await ask(`GET ${book(other.accountId)}/page`, { bearer: other.token });
  expect(names(page)).toEqual(['+85261112222']);
  await Promise.all([
    makeContacts(db, takeBatchRecipients),
    makeContacts(db, takeBatchRecipients),
    makeContacts(db, takeBatchRecipients),
  ]);
  await makeAll();
  const { rows: distinct } = await sql<{ count: number }>`
    select count(distinct recipient)::int as count from messages where account_id = ${accountId}`.execute(db);
  expect(await count()).toBe(distinct[0]?.count);
  expect(await makeContacts(db, takeBatchRecipients)).toBe(0);
});

test('in the background they are made soon after the message was accepted', async () => {
  const { accountId, secret, token: bearer } = await customer();
  const keeping = keepContacts({ db, takeRecipients: takeBatchRecipients, log: { warn: () => {} } });
  await send(secret, '6111 2222');
  await vi.waitFor(
    async () => expect(names(await ask(`GET ${book(accountId)}/page`, { bearer }))).toEqual(['+85261112222']),
    5_000,
  );
  await keeping.stop();
});

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 12, minutes));
const meet = (accountId: AccountId, recipient: string, minutes: number) =>
  recordContacts(db, [{ accountId, channel: 'whatsapp', recipient, at: at(minutes) }]);

test('the last message counts, in whichever order they are told of', async () => {
  const { accountId, token: bearer } = await customer();
  for (const minutes of [5, 9, 7]) await meet(accountId, '+85261112222', minutes);
  const { contacts } = await ask(`GET ${book(accountId)}/page`, { bearer });
  expect(contacts).toMatchObject([{ lastMessageAt: at(9).toISOString(), channel: 'whatsapp' }]);
});

test('the list is paged in the order of the last message, over the days, with those never written to', async () => {
  const { accountId, token: bearer } = await customer();
  const DAY = 24 * 60;
  const order = [3 * DAY, 3 * DAY - 1, 2 * DAY, DAY, 0];
  for (const [place, minutes] of order.entries()) await meet(accountId, `+8526111000${place}`, minutes);
  await ask(`POST ${book(accountId)}`, { bearer, body: { phone: '6111 0009' } });
  const found: string[] = [];
  for (let before = ''; ; ) {
    const page = await ask(`GET ${book(accountId)}/page?limit=2${before}`, { bearer });
    found.push(...names(page));
    if (!page.next) break;
    before = `&before=${page.next}`;
  }
  expect(found).toEqual([9, 0, 1, 2, 3, 4].map((digit) => `+8526111000${digit}`));
});

test('contacts show what they opted out of', async () => {
  const { accountId, token: bearer } = await customer();
  await ask(`POST ${book(accountId)}`, { bearer, body: { phone: '6111 2222' } });
  await ask(`POST ${book(accountId)}`, { bearer, body: { phone: 'Ann@example.com' } });
  for (const body of [
    { channel: 'whatsapp', phone: '6111 2222' },
    { channel: 'email', phone: 'ann@example.com' },
  ])
    await ask(`POST /account/${accountId}/optOuts`, { bearer, body });
  const { contacts } = await ask(`GET ${book(accountId)}/page`, { bearer });
  expect(contacts).toMatchObject([
    { phone: 'Ann@example.com', optedOut: ['email'] },
    { phone: '+85261112222', optedOut: ['whatsapp'] },
  ]);
});

test('a contact is entered, renamed and removed; a later message brings it back without its name', async () => {
  const { accountId, secret, token: bearer } = await customer();
  const body = { phone: '6111 2222', name: ' Ann\0 Lee ', notes: 'one\r\ntwo' };
  const { contact } = await ask(`POST ${book(accountId)}`, { bearer, body });
  expect(contact).toMatchObject({
    phone: '+85261112222',
    name: 'Ann Lee',
    notes: 'one\ntwo',
    lastMessageAt: null,
  });
  const again = await ask(`POST ${book(accountId)}`, {
    bearer,
    body: { phone: '+85261112222', notes: 'three' },
  });
  expect(again.contact).toMatchObject({ _id: contact._id, name: 'Ann Lee', notes: 'three' });
  const path = `${book(accountId)}/${contact._id}`;
  expect(await ask(`PUT ${path}`, { bearer, body: { name: '陳', notes: '' } })).toMatchObject({
    message: 'Contact saved.',
    contact: { name: '陳', notes: '' },
  });
  const other = await customer();
  const theirs = `${book(other.accountId)}/${contact._id}`;
  for (const [call, whose] of [
    [`PUT ${path}`, other.token],
    [`PUT ${theirs}`, other.token],
    [`DELETE ${path}`, other.token],
    [`DELETE ${theirs}`, other.token],
  ] as const)
    expect(
      await ask(call, { bearer: whose, ...(call.startsWith('PUT') && { body: { name: 'x', notes: '' } }) }),
    ).toMatchObject({ http: 404 });
  expect(await ask(`DELETE ${path}`, { bearer })).toMatchObject({ http: 200 });
  expect(await ask(`DELETE ${path}`, { bearer })).toMatchObject({ http: 404 });
  await send(secret, '6111 2222');
  await makeAll();
  expect((await ask(`GET ${book(accountId)}/page`, { bearer })).contacts).toMatchObject([{ name: '' }]);
});

test('a file of contacts names those who are known and adds the others; the export can come back', async () => {
  const { accountId, secret, token: bearer } = await customer();
  await send(secret, '6111 2222');
  await makeAll();
  const file = [
    'Name,Phone,Notes,Other',
    'Ann,6111 2222,"a, b",x',
    ',6111 3333,,',
    'Bob,12,,',
    `${'x'.repeat(201)},6111 4444,,`,
    '=Eve,Eve@example.com,,',
  ].join('\n');
  const path = `${book(accountId)}/import`;
  expect(await upload(path, file, { bearer })).toMatchObject({
    http: 200,
    rows: 5,
    added: 2,
    known: 1,
    refused: 2,
    refusals: [
      { row: 4, column: 'Phone', code: 'E_PHONE_INVALID' },
      { row: 5, column: 'Name', code: 'E_TEXT_TOO_LONG' },
    ],
  });
  const { contacts } = await ask(`GET ${book(accountId)}/page?keyword=ann`, { bearer });
  expect(contacts).toMatchObject([{ name: 'Ann', notes: 'a, b', lastMessageAt: expect.any(String) }]);
  const csv = await inject(`GET ${book(accountId)}.csv`, { bearer });
  expect(csv.body.startsWith('\uFEFFName,Phone,Notes,Last message,Opted out\r\n')).toBe(true);
  expect(csv.body).toContain("\r\n'=Eve,Eve@example.com,,,\r\n");
  expect(csv.body).toMatch(/\r\nAnn,\+85261112222,"a, b",\d{4}-[^,]+Z,\r\n/);
  const other = await customer();
  const copied = await upload(`${book(other.accountId)}/import`, csv.body, { bearer: other.token });
  expect(copied).toMatchObject({ added: 3, refused: 0 });
  expect(await ask(`GET ${book(accountId)}.csv`, { bearer: other.token })).toMatchObject({ http: 404 });
});

test('whatever a contact is called, an export that is uploaded again gives the same contacts', async () => {
  const { accountId, token: bearer } = await customer();
  const names = ['=1+1', 'a;=1+1', 'a\n=1+1', '＝1+1', "'=1", '-5', 'Ann, Ltd.', `;"=1+1`, "it's"];
  for (const [at, name] of names.entries()) {
    const body = { phone: `+8526111000${at}`, name, notes: names.at(-at) };
    expect(await ask(`POST ${book(accountId)}`, { bearer, body })).toMatchObject({ http: 200 });
  }
  const csv = await inject(`GET ${book(accountId)}.csv`, { bearer });
  const other = await customer();
  await upload(`${book(other.accountId)}/import`, csv.body, { bearer: other.token });
  const kept = (owner: AccountId) =>
    sql`select recipient, name, notes from contacts where account_id = ${owner} order by recipient`.execute(
      db,
    );
  const { rows } = await kept(other.accountId);
  expect(rows).toHaveLength(names.length);
  expect(rows).toEqual((await kept(accountId)).rows);
});

const written = (accountId: AccountId, recipient: string) =>
  recordContacts(db, [{ accountId, channel: 'sms', recipient, at: new Date() }]);
const CHANGES: [string, (accountId: AccountId, last: string) => Promise<unknown>][] = [
  [
    'deleted',
    (accountId, last) =>
      sql`delete from contacts where account_id = ${accountId} and recipient = ${last}`.execute(db),
  ],
  ['written to', written],
];
test.each(CHANGES)(
  'the list goes on where a page ended if the last contact of that page is %s meanwhile',
  async (_, change) => {
    const { accountId, token: bearer } = await customer();
    for (const digit of [0, 1, 2, 3, 4]) await meet(accountId, `+8526111000${digit}`, 9 - digit);
    const first = await ask(`GET ${book(accountId)}/page?limit=2`, { bearer });
    expect(names(first)).toEqual(['+85261110000', '+85261110001']);
    await change(accountId, '+85261110001');
    const rest = await ask(`GET ${book(accountId)}/page?limit=3&before=${first.next}`, { bearer });
    expect(names(rest)).toEqual(['+85261110002', '+85261110003', '+85261110004']);
    expect(rest.next).toBeNull();
  },
);
test.each([
  ...CHANGES,
  ['followed by one that is written to', (accountId: AccountId) => written(accountId, '+85262345678')],
] as typeof CHANGES)(
  'an export has every contact once if the last one of a page is %s before the next page',
  async (_, change) => {
    const { accountId } = await customer();
    await sql`insert into contacts (account_id, recipient, last_message_at)
    select ${accountId}::uuid, '+85261' || lpad(n::text, 6, '0'), now() - n * interval '1 minute'
    from generate_series(1, 2500) n
    union all select ${accountId}::uuid, '+85262345678', now() - interval '10 days'`.execute(db);
    const between = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.length === 1_000) await change(accountId, String(result.rows.at(-1)?.recipient));
        return result;
      },
    });
    const csv = (await exportContacts({ db: between }, { accountId, language: 'en_US' }).toArray()).join('');
    const found = csv.match(/\+8526\d{7}/g) ?? [];
    expect(found).toHaveLength(2_501);
    expect(new Set(found).size).toBe(2_501);
  },
);
