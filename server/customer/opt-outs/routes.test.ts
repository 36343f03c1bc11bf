import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestLists } from '../../../test/list-app.ts';

const room = await openTestLists();
const { ask, inject, upload, customer } = room;
afterAll(async () => {
  expect(await room.close()).toEqual([]);
});

const lists = (accountId: string) => `/account/${accountId}/optOuts`;
const phones = ({ optOuts }: { optOuts: { phone: string }[] }) => optOuts.map(({ phone }) => phone);

test('somebody is opted out by hand, found, and let in again', async () => {
  const { accountId, token: bearer } = await customer();
  const body = { channel: 'sms', phone: '6111 2222', note: ' asked\0by phone ' };
  const added = await ask(`POST ${lists(accountId)}`, { bearer, body });
  expect(added).toMatchObject({
    http: 200,
    message: '+85261112222 is opted out.',
    optOut: { channel: 'sms', phone: '+85261112222', source: 'MANUAL', note: 'asked by phone' },
  });
  const again = await ask(`POST ${lists(accountId)}`, { bearer, body: { ...body, note: 'else' } });
  expect(again.optOut).toEqual(added.optOut);
  await ask(`POST ${lists(accountId)}`, { bearer, body: { channel: 'email', phone: 'Ann@Example.com' } });
  const list = await ask(`GET ${lists(accountId)}`, { bearer });
  expect(list).toMatchObject({ total: 2, more: false });
  expect(phones(list)).toEqual(['ann@example.com', '+85261112222']);
  expect(phones(await ask(`GET ${lists(accountId)}?keyword=ANN`, { bearer }))).toEqual(['ann@example.com']);
  expect(phones(await ask(`GET ${lists(accountId)}?keyword=by%20phone`, { bearer }))).toEqual([
    '+85261112222',
  ]);
  expect(phones(await ask(`GET ${lists(accountId)}?keyword=%25`, { bearer }))).toEqual([]);
  expect(phones(await ask(`GET ${lists(accountId)}?channel=email`, { bearer }))).toEqual(['ann@example.com']);
  const gone = `DELETE ${lists(accountId)}/${added.optOut._id}`;
  expect(await ask(gone, { bearer, language: 'zh-HK' })).toMatchObject({
    message: '已移除退訂，可以再次發送訊息。',
  });
  expect(await ask(gone, { bearer })).toMatchObject({ http: 404 });
  expect((await ask(`GET ${lists(accountId)}`, { bearer })).total).toBe(1);
});

test('who is a contact has the name that this account gave', async () => {
  const { accountId, token: bearer } = await customer();
  const other = await customer();
  const enter = (by: typeof other, name: string) =>
    sql`insert into contacts (account_id, recipient, name) values (${by.accountId}, '+85261112222', ${name})`.execute(
      room.db,
    );
  await enter(other, 'Not hers');
  const body = { channel: 'sms', phone: '6111 2222' };
  const added = await ask(`POST ${lists(accountId)}`, { bearer, body });
  expect(added.optOut.contactName).toBe('');
  await enter({ accountId } as typeof other, 'Kwan');
  const { optOuts } = await ask(`GET ${lists(accountId)}`, { bearer });
  expect(optOuts).toMatchObject([{ phone: '+85261112222', contactName: 'Kwan' }]);
});

test('opting out asks for what still waits to be cancelled, once', async () => {
  const { accountId, token: bearer } = await customer();
  room.jobs.length = 0;
  const body = { channel: 'sms', phone: '6111 2222' };
  await ask(`POST ${lists(accountId)}`, { bearer, body });
  await ask(`POST ${lists(accountId)}`, { bearer, body });
  const data = { optedOut: [{ accountId, channel: 'sms', recipients: ['+85261112222'] }] };
  expect(room.jobs).toEqual(Array(2).fill({ name: 'outbox.cancel-opted-out', data }));
});

test('the list is paged', async () => {
  const { accountId, token: bearer } = await customer();
  for (let at = 0; at < 5; at += 1)
    await ask(`POST ${lists(accountId)}`, { bearer, body: { channel: 'sms', phone: `6111 000${at}` } });
  const first = await ask(`GET ${lists(accountId)}?limit=3`, { bearer });
  expect(first).toMatchObject({ more: true, total: 5 });
  const second = await ask(`GET ${lists(accountId)}?limit=3&before=${first.optOuts[2]._id}`, { bearer });
  expect(second).toMatchObject({ more: false, total: 5 });
  expect([...phones(first), ...phones(second)]).toEqual([4, 3, 2, 1, 0].map((at) => `+8526111000${at}`));
});

test('bad input is refused, and so is everybody but the account itself', async () => {
  const { accountId, token: bearer, secret } = await customer();
  const other = await customer();
  const add = (body: object) => ask(`POST ${lists(accountId)}`, { bearer, body });
  expect(await add({ channel: 'sms', phone: '12' })).toMatchObject({ code: 'E_PHONE_INVALID' });
  expect(await add({ channel: 'email', phone: 'x' })).toMatchObject({ code: 'E_EMAIL_INVALID' });
  expect(await add({ channel: 'sms', phone: '' })).toMatchObject({ code: 'E_RECIPIENT_EMPTY' });
  expect(await add({ channel: 'fax', phone: '1' })).toMatchObject({ code: 'E_INVALID_REQUEST' });
  const { optOut } = await add({ channel: 'sms', phone: '6111 2222' });
  expect(await ask(`GET ${lists(accountId)}?limit=999`, { bearer })).toMatchObject({ http: 400 });
  expect(await ask(`GET ${lists(accountId)}?before=x`, { bearer })).toMatchObject({ http: 400 });
  // More than the database's numbers.
  const beyond = '9'.repeat(19);
  expect(await ask(`GET ${lists(accountId)}?before=${beyond}`, { bearer })).toMatchObject({ http: 400 });
  expect(await ask(`DELETE ${lists(accountId)}/${beyond}`, { bearer })).toMatchObject({ http: 400 });
  for (const [call, body] of [
    [`GET ${lists(accountId)}`],
    [`POST ${lists(accountId)}`, { channel: 'sms', phone: '6111 2222' }],
    [`DELETE ${lists(accountId)}/${optOut._id}`],
    [`GET ${lists(accountId)}.csv`],
  ] as const) {
    expect(await ask(call, { bearer: other.token, ...(body && { body }) })).toMatchObject({ http: 404 });
    expect(await ask(call, { bearer: secret, ...(body && { body }) })).toMatchObject({ http: 401 });
  }
  expect(await ask(`DELETE ${lists(other.accountId)}/${optOut._id}`, { bearer: other.token })).toMatchObject({
    http: 404,
  });
  const given = { bearer: other.token };
  expect(await upload(`${lists(accountId)}/import`, 'phone\n61112222', given)).toMatchObject({ http: 404 });
  expect(await upload(`${lists(accountId)}/import`, 'phone\n61112222', {})).toMatchObject({ http: 401 });
});

test('a file is imported row by row: the good ones are taken, the others told', async () => {
  const { accountId, token: bearer } = await customer();
  const path = `${lists(accountId)}/import`;
  const file = [
    '\uFEFF電話;渠道;備註',
    '6111 2222;;moved away',
    "'+852 6111 3333;WhatsApp;",
    'Ann@example.com;;',
    '123;;',
    '6111 4444;fax;',
    '',
    '+85261112222;sms;twice',
  ].join('\r\n');
  expect(await upload(path, file, { bearer })).toEqual({
    http: 200,
    message: 'Imported: 3 new, 1 already listed, 2 refused.',
    rows: 6,
    added: 3,
    known: 1,
    refused: 2,
    refusals: [
      { row: 5, column: '電話', code: 'E_PHONE_INVALID', message: expect.stringContaining('123') },
      { row: 6, column: '渠道', code: 'E_CHANNEL_INVALID', message: expect.stringContaining('fax') },
    ],
  });
  expect(await upload(path, file, { bearer })).toMatchObject({ added: 0, known: 4, refused: 2 });
  const { optOuts } = await ask(`GET ${lists(accountId)}`, { bearer });
  expect(optOuts).toHaveLength(3);
  for (const { source } of optOuts) expect(source).toBe('IMPORT');
});

test('a plain list of numbers needs no header; channel and country may be given for all', async () => {
  const { accountId, token: bearer } = await customer();
  const given = { bearer, fields: { channel: 'whatsapp', countryCode: 'SG' } };
  expect(await upload(`${lists(accountId)}/import`, '8123 4567\n8123 4568\n', given)).toMatchObject({
    added: 2,
  });
  expect(phones(await ask(`GET ${lists(accountId)}?channel=whatsapp`, { bearer })).toSorted()).toEqual([
    '+6581234567',
    '+6581234568',
  ]);
});

test('a file that can’t be read is refused', async () => {
  const { accountId, token: bearer } = await customer();
  const path = `${lists(accountId)}/import`;
  expect(await upload(path, undefined, { bearer })).toMatchObject({ code: 'E_CSV_MISSING' });
  expect(await upload(path, '', { bearer })).toMatchObject({ code: 'E_CSV_EMPTY' });
  expect(await upload(path, 'phone\n', { bearer })).toMatchObject({ code: 'E_CSV_EMPTY' });
  expect(await upload(path, 'channel,note\nsms,x', { bearer })).toMatchObject({
    code: 'E_CSV_NO_RECIPIENT_COLUMN',
  });
  expect(await upload(path, Buffer.from([0, 1, 2]), { bearer })).toMatchObject({ code: 'E_CSV_NOT_TEXT' });
  const fields = { channel: 'fax' };
  expect(await upload(path, '61112222', { bearer, fields })).toMatchObject({ code: 'E_INVALID_REQUEST' });
  expect((await ask(`GET ${lists(accountId)}`, { bearer })).total).toBe(0);
});

test('the exported file is safe for spreadsheets and can be imported again', async () => {
  const { accountId, token: bearer } = await customer();
  const other = await customer();
  const people = Array.from({ length: 2_500 }, (_, at) => `6${String(at).padStart(7, '1')},=cmd()`);
  const made = await upload(`${lists(accountId)}/import`, ['phone,note', ...people].join('\n'), { bearer });
  expect(made).toMatchObject({ http: 200 });
  const csv = await inject(`GET ${lists(accountId)}.csv`, { bearer, language: 'zh-HK' });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe('attachment; filename="opt-outs.csv"');
  const lines = csv.body.split('\r\n');
  expect(lines[0]).toBe('\uFEFF退訂時間,電話,渠道,來源,備註');
  expect(lines[1]).toMatch(/^\d{4}-[^,]*Z,\+8526\d{7},sms,匯入,'=cmd\(\)$/);
  expect(lines).toHaveLength(Number(made.added) + 2);
  const path = `${lists(other.accountId)}/import`;
  expect(await upload(path, csv.body, { bearer: other.token })).toMatchObject({
    added: made.added,
    refused: 0,
  });
  const notes = await sql<{ note: string }>`
    select distinct note from opt_outs where account_id = ${other.accountId}`.execute(room.db);
  expect(notes.rows).toEqual([{ note: '=cmd()' }]);
});
