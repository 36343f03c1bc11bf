import { Readable } from 'node:stream';
import type { Language } from '../../contract/constants.ts';
import type { SendingDeps } from '../sending/index.ts';
import { text } from '../translations/index.ts';
import { type OwnUpload, requireUpload } from './send-upload.ts';
import { findUpload, readRefusals, type UploadRow } from './store.ts';

/** Without it, spreadsheets assume an old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
const PAGE = 1_000;

/**
 * A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text, and is removed when the
 * corrected file is uploaded.
 */
const cell = (content: string): string => {
  const safe = /^[=+\-@\t\r]/.test(content) ? `'${content}` : content;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const line = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;

async function* lines(
  { db }: Pick<SendingDeps, 'db'>,
  { id, header, columns }: UploadRow,
  language: Language,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  const titles = ['row', 'column', 'reason'].map((name) => text(language, `upload.csv.${name}`));
  // Without names the first two columns keep their meaning, so that the file can be uploaded again.
  if (header) yield line([...columns, ...titles]);
  for (let after = 0; ; ) {
    const page = await readRefusals(db, { uploadId: id, after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    yield page
      .map(({ row, column, code, params, cells }) =>
        line([
          ...columns.map((_, at) => cells[at] ?? ''),
          String(row),
          column,
          text(language, `error.${code}`, params),
        ]),
      )
      .join('');
    after = last.row;
  }
}

/** The refused rows as they were, each with where and why: to be corrected and uploaded again. */
export const refusedCsv = async (
  deps: Pick<SendingDeps, 'db'>,
  { sender, uploadId, language }: OwnUpload & { language: Language },
): Promise<Readable> => {
  const upload = requireUpload(await findUpload(deps.db, { accountId: sender.accountId, uploadId }), sender);
  return Readable.from(lines(deps, upload, language));
};
