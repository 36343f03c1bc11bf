import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { type Db, fitsPage, pageBefore } from '../../ground/postgres/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';
import type { UploadTally } from './read-file.ts';

export interface NewUpload {
  id: UploadId;
  accountId: AccountId;
  key: string;
  requestHash: Buffer;
  channel: Channel;
  free: boolean;
  test: boolean;
  fileName: string;
}

export interface UploadRow extends NewUpload {
  header: boolean;
  columns: string[];
  rows: number;
  accepted: number;
  refused: number;
  duplicates: number;
  optedOut: number;
  reasons: { code: ErrorCode; count: number }[];
  samplePhone: string | null;
  sampleMessage: string | null;
  segments: bigint;
  priceMicros: bigint;
  expectedSeconds: number;
  batchId: BatchId | null;
  balanceMicros: bigint | null;
  createdAt: Date;
}

const COLUMNS = sql`id, account_id as "accountId", key, request_hash as "requestHash", channel, free, test,
  file_name as "fileName", header, columns, rows, accepted, refused, duplicates,
  opted_out as "optedOut", reasons,
  sample_phone as "samplePhone", sample_message as "sampleMessage", segments, price_micros as "priceMicros",
  expected_seconds as "expectedSeconds", batch_id as "batchId", balance_micros as "balanceMicros",
  created_at as "createdAt"`;

/** A file is recognised by its hash for this long; after that, sending it again may be intended. */
const FILE_KNOWN_HOURS = 1;

type KeyOf = Pick<NewUpload, 'accountId' | 'key'>;

/** The upload that the key was used for. */
export const findRepeated = async (
  db: Db,
  { accountId, key }: KeyOf,
  { ownHash }: { ownHash: boolean },
): Promise<UploadRow | undefined> => {
  const { rows } = await sql<UploadRow>`
    select ${COLUMNS} from uploads where account_id = ${accountId} and key = ${key}
      and (not ${ownHash} or created_at >= now() - make_interval(hours => ${FILE_KNOWN_HOURS}))`.execute(db);
  return rows[0];
};

/** Creates the upload, or returns the one that the key was used for. Waits for a transaction that has it locked. */
export const takeUpload = async (
  db: Db,
  upload: NewUpload,
  { ownHash }: { ownHash: boolean },
): Promise<UploadRow | undefined> => {
  const { id, accountId, key, requestHash, channel, free, test, fileName } = upload;
  if (ownHash)
    await sql`update uploads set key = null where account_id = ${accountId} and key = ${key}
      and created_at < now() - make_interval(hours => ${FILE_KNOWN_HOURS})`.execute(db);
  const { numAffectedRows } = await sql`
    insert into uploads (id, account_id, key, request_hash, channel, free, test, file_name)
    values (${id}, ${accountId}, ${key}, ${requestHash}, ${channel}, ${free}, ${test}, ${fileName})
    on conflict (account_id, key) where key is not null do nothing`.execute(db);
  return Number(numAffectedRows) === 1 ? undefined : findRepeated(db, upload, { ownHash });
};

interface Owned {
  accountId: AccountId;
  uploadId: UploadId;
}

export const findUpload = async (
  db: Db,
  { accountId, uploadId }: Owned,
  { lock }: { lock: boolean } = { lock: false },
): Promise<UploadRow | undefined> => {
  const { rows } = await sql<UploadRow>`
    select ${COLUMNS} from uploads where id = ${uploadId} and account_id = ${accountId}
    ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
};

export const storeUploadTally = async (
  db: Db,
  { id, tally, expectedSeconds }: { id: UploadId; tally: UploadTally; expectedSeconds: number },
): Promise<void> => {
  const reasons = [...tally.reasons]
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count);
  await sql`
    update uploads set header = ${tally.columns.header},
      columns = ${tally.columns.names.map((name) => name.replaceAll('\0', ''))}::text[], rows = ${tally.rows},
      accepted = ${tally.accepted}, refused = ${tally.refused}, duplicates = ${tally.duplicates},
      opted_out = ${tally.optedOut},
      reasons = ${JSON.stringify(reasons)}::jsonb, sample_phone = ${tally.sample?.phone ?? null},
      sample_message = ${tally.sample?.message ?? null}, segments = ${tally.segments},
      price_micros = ${tally.priceMicros}, expected_seconds = ${expectedSeconds}
    where id = ${id}`.execute(db);
};

/** Rows that were counted as accepted when the file was checked are refused now. */
export const keepLateRefusals = async (
  db: Db,
  { id, accepted, refused, optedOut, reasons, segments, priceMicros }: UploadRow,
): Promise<void> => {
  await sql`
    update uploads set accepted = ${accepted}, refused = ${refused}, opted_out = ${optedOut},
      reasons = ${JSON.stringify(reasons)}::jsonb, segments = ${segments}, price_micros = ${priceMicros}
    where id = ${id}`.execute(db);
};

/** The rows went into the batch: they are not needed here any more. */
export const markSent = async (
  db: Db,
  { id, batchId, balanceMicros }: { id: UploadId; batchId: BatchId; balanceMicros: bigint },
): Promise<void> => {
  await sql`update uploads set batch_id = ${batchId}, balance_micros = ${balanceMicros}
    where id = ${id}`.execute(db);
  await sql`delete from upload_rows where upload_id = ${id}`.execute(db);
};

export const insertRows = async (db: Db, uploadId: UploadId, rows: AcceptedRow[]): Promise<void> => {
  await sql`
    insert into upload_rows (upload_id, row, recipient_raw, recipient, country, sender, message, subject, html,
      segments, encoding, unit_micros, price_micros, failed_id, identifier)
    select ${uploadId}::uuid, * from unnest(${rows.map(({ row }) => row)}::int[],
      ${rows.map(({ recipientRaw }) => recipientRaw)}::text[], ${rows.map(({ recipient }) => recipient)}::text[],
      ${rows.map(({ country }) => country)}::text[], ${rows.map(({ sender }) => sender)}::text[],
      ${rows.map(({ message }) => message)}::text[], ${rows.map(({ subject }) => subject)}::text[],
      ${rows.map(({ html }) => html)}::text[],
      ${rows.map(({ segments }) => segments)}::int[], ${rows.map(({ encoding }) => encoding)}::text[],
      ${rows.map(({ unitMicros }) => unitMicros)}::bigint[],
      ${rows.map(({ priceMicros }) => priceMicros)}::bigint[],
      ${rows.map(({ failedId }) => failedId)}::uuid[],
      ${rows.map(({ identifier }) => identifier)}::text[])`.execute(db);
};

export const insertRefusals = async (db: Db, uploadId: UploadId, rows: RefusedRow[]): Promise<void> => {
  // PostgreSQL can't store NUL, and JSON writes it as an escape.
  const json = (value: unknown) => JSON.stringify(value).replaceAll('\\u0000', '');
  await sql`
    insert into upload_refusals (upload_id, row, col, code, params, cells, characters)
    select ${uploadId}::uuid, * from unnest(${rows.map(({ row }) => row)}::int[],
      ${rows.map(({ column }) => column.replaceAll('\0', ''))}::text[], ${rows.map(({ code }) => code)}::text[],
      ${rows.map(({ params }) => json(params))}::jsonb[],
      ${rows.map(({ cells }) => json(cells))}::jsonb[],
      ${rows.map(({ cells }) => cells.reduce((sum, cell) => sum + cell.length, 0))}::int[])`.execute(db);
};

interface Page {
  uploadId: UploadId;
  after: number;
  limit: number;
}

/** In the order of the file. */
export const readRows = async (
  db: Db,
  { uploadId, after, limit }: Page,
): Promise<Omit<AcceptedRow, 'cells'>[]> => {
  const { rows } = await sql<Omit<AcceptedRow, 'cells'>>`
    select row, recipient_raw as "recipientRaw", recipient, country, sender, message, subject, html, null as content,
      segments, encoding, unit_micros as "unitMicros", price_micros as "priceMicros", failed_id as "failedId",
      identifier
    from (
      select *, ${pageBefore({ size: sql`octet_length(message) + coalesce(octet_length(html), 0)`, order: sql`row` })}
      from (select * from upload_rows where upload_id = ${uploadId} and row > ${after} order by row limit ${limit}) r
    ) paged where ${fitsPage} order by row`.execute(db);
  return rows;
};

export const readRefusals = async (db: Db, { uploadId, after, limit }: Page): Promise<RefusedRow[]> => {
  const { rows } = await sql<RefusedRow>`
    select row, col as "column", code, params, cells from (
      select *, ${pageBefore({ size: sql`characters`, order: sql`row` })}
      from (select * from upload_refusals where upload_id = ${uploadId} and row > ${after} order by row limit ${limit}) r
    ) paged where ${fitsPage} order by row`.execute(db);
  return rows;
};

/** Returns whether there was one that was not sent. */
export const removeUnsent = async (db: Db, { accountId, uploadId }: Owned): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from uploads where id = ${uploadId} and account_id = ${accountId} and batch_id is null`.execute(
    db,
  );
  return Number(numAffectedRows) > 0;
};

/** Forgets what was checked under a key and not sent; what was sent stays, without the key. */
export const freeKey = async (
  db: Db,
  { accountId, key }: { accountId: AccountId; key: string },
): Promise<void> => {
  await sql`delete from uploads where account_id = ${accountId} and key = ${key} and batch_id is null`.execute(
    db,
  );
  await sql`update uploads set key = null where account_id = ${accountId} and key = ${key}`.execute(db);
};

/** Checking is free, so what it stores is limited: only an account's newest stay. */
export const removeSurplus = async (db: Db, accountId: AccountId, keep: number): Promise<void> => {
  await sql`
    delete from uploads where id in (
      select id from uploads where account_id = ${accountId} and batch_id is null
      order by created_at desc offset ${keep} for update skip locked)`.execute(db);
};

export const removeOldUploads = async (
  db: Db,
  { unsentHours, sentDays }: { unsentHours: number; sentDays: number },
): Promise<void> => {
  await sql`
    delete from uploads where (batch_id is null and created_at < now() - make_interval(hours => ${unsentHours}))
      or created_at < now() - make_interval(days => ${sentDays})`.execute(db);
};
