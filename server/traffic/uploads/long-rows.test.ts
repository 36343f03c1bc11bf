import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { newId } from '../../ground/postgres/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';
import { insertRefusals, insertRows, readRefusals, readRows } from './store.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(room.close);

const ROWS = 30;
/** As long as a row may be; PostgreSQL stores so even a text in next to nothing. */
const LONG = 'x'.repeat(190_000);
const MOST_CHARACTERS = 1_000_000 + LONG.length;

const newUpload = async (): Promise<UploadId> => {
  const accountId = await room.funded();
  const id = newId() as UploadId;
  await sql`insert into uploads (id, account_id, key, request_hash, channel, free, test, file_name)
    values (${id}, ${accountId}, ${id}, '', 'email', true, true, '')`.execute(db);
  return id;
};

/** All pages, and what the largest holds. */
const readAll = async <T extends { row: number }>(
  read: (after: number) => Promise<T[]>,
  lengthOf: (row: T) => number,
) => {
  const rows: number[] = [];
  let most = 0;
  for (let after = 0; ; ) {
    const page = await read(after);
    if (page.length === 0) return { rows, most };
    most = Math.max(
      most,
      page.reduce((sum, row) => sum + lengthOf(row), 0),
    );
    rows.push(...page.map(({ row }) => row));
    after = page.at(-1)?.row ?? 0;
  }
};
const NUMBERS = Array.from({ length: ROWS }, (_, at) => at + 1);

test('refused rows come in pages that fit in memory, all of them', async () => {
  const uploadId = await newUpload();
  const refused = NUMBERS.map(
    (row): RefusedRow => ({ row, column: 'a', code: 'E_EMAIL_INVALID', params: {}, cells: ['x', LONG] }),
  );
  await insertRefusals(db, uploadId, refused);
  const { rows, most } = await readAll(
    (after) => readRefusals(db, { uploadId, after, limit: 1_000 }),
    ({ cells }) => cells.join('').length,
  );
  expect(rows).toEqual(NUMBERS);
  expect(most).toBeLessThanOrEqual(MOST_CHARACTERS + 10);
});

test('so do accepted ones', async () => {
  const uploadId = await newUpload();
  const accepted = NUMBERS.map(
    (row) =>
      ({
        row,
        recipientRaw: 'a@example.com',
        recipient: 'a@example.com',
        country: '',
        sender: null,
        message: 'x',
        subject: null,
        html: LONG,
        segments: 1,
        encoding: 'NONE',
        unitMicros: 0n,
        priceMicros: 0n,
        identifier: null,
      }) as unknown as AcceptedRow,
  );
  await insertRows(db, uploadId, accepted);
  const { rows, most } = await readAll(
    (after) => readRows(db, { uploadId, after, limit: 1_000 }),
    ({ html }) => html?.length ?? 0,
  );
  expect(rows).toEqual(NUMBERS);
  expect(most).toBeLessThanOrEqual(MOST_CHARACTERS);
});
