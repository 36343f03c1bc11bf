import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { CSV_MAX_ROWS, CSV_MAX_TEXT, type UploadFields } from '../../../contract/traffic/uploads.ts';
import type { SpooledCsv } from '../../ground/csv/index.ts';
import {
  type Columns,
  type CsvRecord,
  decodeCsv,
  findDelimiter,
  openTimeSlices,
  peek,
  readColumns,
  readRecords,
} from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Terms } from '../sending/index.ts';
import { type AcceptedRow, openJudge, type RefusedRow } from './judge.ts';
import { rowTotals } from './opted-out-rows.ts';

/** More rows per statement gain nothing. */
const CHUNK = 1_000;
/** Characters of the texts of a piece: what a few placeholders make of a small file must not be in memory at once. */
const PIECE_LENGTH = 1_000_000;

export interface UploadTally {
  columns: Columns;
  rows: number;
  /** Of the texts of all accepted rows. */
  characters: number;
  accepted: number;
  refused: number;
  duplicates: number;
  optedOut: number;
  reasons: Map<ErrorCode, number>;
  segments: number;
  priceMicros: bigint;
  sample: { phone: string; message: string } | undefined;
}

export interface RowPiece {
  accepted: AcceptedRow[];
  refused: RefusedRow[];
  /** Of all pieces so far. */
  tally: UploadTally;
}

export const newTally = (columns: Columns): UploadTally => ({
  columns,
  rows: 0,
  characters: 0,
  accepted: 0,
  refused: 0,
  duplicates: 0,
  optedOut: 0,
  reasons: new Map(),
  segments: 0,
  priceMicros: 0n,
  sample: undefined,
});

const lengthOf = (judged: AcceptedRow | RefusedRow): number =>
  'code' in judged ? 0 : judged.message.length + (judged.html?.length ?? 0);

export const count = (tally: UploadTally, accepted: AcceptedRow[], refused: RefusedRow[]): void => {
  tally.rows += accepted.length + refused.length;
  if (tally.rows > CSV_MAX_ROWS) throw new DomainError('E_CSV_TOO_MANY_ROWS', { maximum: CSV_MAX_ROWS });
  tally.accepted += accepted.length;
  tally.refused += refused.length;
  for (const row of accepted) {
    tally.characters += lengthOf(row);
    tally.segments += row.segments;
    tally.priceMicros += row.priceMicros;
  }
  if (tally.characters > CSV_MAX_TEXT)
    throw new DomainError('E_CSV_TEXT_TOO_LONG', { maximum: CSV_MAX_TEXT });
  for (const { code } of refused) {
    tally.reasons.set(code, (tally.reasons.get(code) ?? 0) + 1);
    if (code === 'E_DUPLICATE') tally.duplicates += 1;
  }
  const [first] = accepted;
  if (first) tally.sample ??= { phone: first.recipient, message: first.message || (first.html ?? '') };
};

/** Rows that were counted as accepted are refused after all. */
const takeBack = (tally: UploadTally, rows: AcceptedRow[], code: ErrorCode): void => {
  const { segments, priceMicros } = rowTotals(rows);
  tally.accepted -= rows.length;
  tally.refused += rows.length;
  tally.segments -= segments;
  tally.priceMicros -= priceMicros;
  tally.reasons.set(code, (tally.reasons.get(code) ?? 0) + rows.length);
  if (rows.some(({ recipient }) => recipient === tally.sample?.phone)) tally.sample = undefined;
};

/** Their recipients have opted out. */
export const countOptedOut = (tally: UploadTally, rows: AcceptedRow[]): void => {
  takeBack(tally, rows, 'E_OPTED_OUT');
  tally.optedOut += rows.length;
};

/** Their recipients have not written recently, so only a template is allowed. */
export const countOutside = (tally: UploadTally, rows: AcceptedRow[]): void =>
  takeBack(tally, rows, 'E_NO_SESSION');

/** In pieces that are bounded by rows and by characters, with slices for others between. */
async function* judgeAll(
  judge: ReturnType<typeof openJudge>,
  records: CsvRecord[],
): AsyncGenerator<{ accepted: AcceptedRow[]; refused: RefusedRow[] }> {
  let piece: { accepted: AcceptedRow[]; refused: RefusedRow[] } = { accepted: [], refused: [] };
  let length = 0;
  const slices = openTimeSlices();
  for (const record of records) {
    const judged = judge(record);
    if ('code' in judged) piece.refused.push(judged);
    else piece.accepted.push(judged);
    length += lengthOf(judged);
    if (length >= PIECE_LENGTH) {
      yield piece;
      piece = { accepted: [], refused: [] };
      length = 0;
    }
    if (slices.isOver()) await slices.pass();
  }
  if (piece.accepted.length + piece.refused.length > 0) yield piece;
}

/** Reads and judges a file, piece by piece: memory does not grow with it. */
export async function* readCsv(
  csv: SpooledCsv,
  { terms, fields }: { terms: Terms; fields: UploadFields },
): AsyncGenerator<RowPiece> {
  const { channel } = terms;
  const { start, all } = await peek(decodeCsv(csv.bytes(), csv.encoding));
  const delimiter = findDelimiter(start, channel);
  let tally: UploadTally | undefined;
  let judge: ReturnType<typeof openJudge> | undefined;
  for await (const records of readRecords(all, { delimiter, size: CHUNK })) {
    if (!tally || !judge) {
      const [first] = records;
      if (!first) continue;
      const columns = readColumns(first, channel);
      tally = newTally(columns);
      judge = openJudge(terms, columns, fields);
      if (columns.header) records.shift();
    }
    for await (const { accepted, refused } of judgeAll(judge, records)) {
      count(tally, accepted, refused);
      yield { accepted, refused, tally };
    }
  }
  if (!tally || tally.rows === 0) throw new DomainError('E_CSV_EMPTY');
}
