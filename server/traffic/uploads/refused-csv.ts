import { Readable } from 'node:stream';
import type { Language } from '../../../contract/ground/constants.ts';
import { CSV_START, type CsvColumn, csvTable } from '../../../contract/ground/csv.ts';
import { readColumns } from '../../ground/csv/index.ts';
import { type LabelAfter, text } from '../../ground/translations/index.ts';
import type { SendingDeps } from '../sending/index.ts';
import { type OwnUpload, requireUpload } from './send-upload.ts';
import { findUpload, readRefusals, type UploadRow } from './store.ts';

const PAGE = 1_000;

type Refused = Awaited<ReturnType<typeof readRefusals>>[number];

async function* lines(
  { db }: Pick<SendingDeps, 'db'>,
  { id, channel, header, columns }: UploadRow,
  language: Language,
): AsyncGenerator<string> {
  const { recipient } = readColumns({ row: 1, cells: columns }, channel);
  const title = (name: LabelAfter<'upload.csv.'>) => text(language, `upload.csv.${name}`);
  const row: CsvColumn<Refused> = { title: title('row'), type: 'number', value: ({ row }) => String(row) };
  const { head, line } = csvTable<Refused>([
    ...(header ? [row] : []),
    ...columns.map(
      (name, at): CsvColumn<Refused> => ({
        title: name,
        type: at === recipient ? 'phone' : 'text',
        value: ({ cells }) => cells[at] ?? null,
      }),
    ),
    ...(header ? [] : [row]),
    { title: title('column'), type: 'text', value: ({ column }) => column },
    {
      title: title('reason'),
      type: 'text',
      value: ({ code, params }) => text(language, `error.${code}`, params),
    },
  ]);
  // Without names the first two columns keep their meaning, so that the file can be uploaded again.
  yield header ? head : CSV_START;
  for (let after = 0; ; ) {
    const page = await readRefusals(db, { uploadId: id, after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    yield page.map(line).join('');
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
