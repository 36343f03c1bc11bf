import { withoutGuard } from '../../../contract/ground/csv.ts';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { IDENTIFIER_LENGTH, type MessageId, TEXT_MAX_LENGTHS } from '../../../contract/traffic/messages.ts';
import type { UploadFields } from '../../../contract/traffic/uploads.ts';
import type { Columns, CsvRecord } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { escapeHtml } from '../../ground/mail/index.ts';
import { type Prepared, prepare, type Terms } from '../sending/index.ts';
import { openSeen } from './seen.ts';
import {
  CellFault,
  checkTemplate,
  cutTemplate,
  fillTemplate,
  openCutter,
  type TextTemplate,
} from './template.ts';

export interface AcceptedRow extends Prepared {
  row: number;
  /** As they were read, in case the row is refused after all. */
  cells: string[];
  /** The failed message that the row repeats. */
  failedId?: MessageId | null;
}

export interface RefusedRow {
  row: number;
  column: string;
  code: ErrorCode;
  params: DomainError['params'];
  cells: string[];
}

const ABOUT_RECIPIENT: ErrorCode[] = [
  'E_PHONE_INVALID',
  'E_CALLING_CODE_UNKNOWN',
  'E_EMAIL_INVALID',
  'E_RECIPIENT_EMPTY',
  'E_NO_LANE',
  'E_NO_PRICE',
  'E_NUMBER_RANGE',
];

const given = (text: string | undefined): string | undefined => (text?.trim() ? text : undefined);

/** As in a single call, which refuses longer ones. */
const identifierIn = (cell = ''): string => {
  if (cell.length > IDENTIFIER_LENGTH)
    throw new DomainError('E_IDENTIFIER_TOO_LONG', {
      maximum: IDENTIFIER_LENGTH,
    });
  return cell;
};

/** Judges the rows of one file in order: of equal rows, the first is accepted. */
export const openJudge = (terms: Terms, columns: Columns, fields: UploadFields) => {
  const { names, recipient, message, html, identifier } = columns;
  const forAll = (text: string | undefined): TextTemplate | undefined =>
    text === undefined ? undefined : cutTemplate(text, columns);
  const template = {
    message: forAll(given(fields.message)),
    subject: forAll(given(fields.subject)),
    html: forAll(given(fields.html)),
  };
  const ofRow = openCutter(columns);
  if ([template.message, message, template.html, html].every((source) => source === undefined))
    throw new DomainError('E_CSV_NO_MESSAGE');
  for (const text of Object.values(template)) if (text) checkTemplate(text);
  const { isSeen } = openSeen();

  const textOf = (kind: 'message' | 'subject', cells: string[]): string | undefined => {
    const at = columns[kind];
    const text = template[kind] ?? (at === undefined ? undefined : ofRow(cells[at] ?? ''));
    return text === undefined
      ? undefined
      : fillTemplate(text, { columns, cells, maximum: TEXT_MAX_LENGTHS[kind] });
  };
  /** What fills a placeholder must not become markup. */
  const htmlOf = (cells: string[]): string | undefined => {
    const own = html === undefined ? undefined : given(cells[html]);
    const text = template.html ?? (own === undefined ? undefined : ofRow(own));
    return text === undefined
      ? undefined
      : fillTemplate(text, { columns, cells, maximum: TEXT_MAX_LENGTHS.html, written: escapeHtml });
  };
  const columnOf = (code: ErrorCode): string =>
    names[ABOUT_RECIPIENT.includes(code) || template.message !== undefined ? recipient : (message ?? 0)] ??
    '';

  const accept = (row: number, cells: string[]): AcceptedRow => {
    const wanted = {
      recipientRaw: cells[recipient] ?? '',
      message: textOf('message', cells) ?? '',
      subject: textOf('subject', cells),
      html: htmlOf(cells),
      countryCode: fields.countryCode,
      fromPhone: fields.fromPhone,
      identifier: identifier === undefined ? undefined : identifierIn(cells[identifier]),
    };
    const prepared = prepare(terms, wanted);
    if (
      isSeen([prepared.recipient, prepared.subject ?? '', prepared.message, prepared.html ?? ''].join('\0'))
    )
      throw new CellFault(names[recipient] ?? '', new DomainError('E_DUPLICATE'));
    return { ...prepared, row, cells };
  };

  return ({ row, cells: read }: CsvRecord): AcceptedRow | RefusedRow => {
    const cells = read.map(withoutGuard);
    try {
      return accept(row, cells);
    } catch (error) {
      if (error instanceof CellFault)
        return { row, column: error.column, code: error.fault.code, params: error.fault.params, cells };
      if (error instanceof DomainError)
        return { row, column: columnOf(error.code), code: error.code, params: error.params, cells };
      throw error;
    }
  };
};
